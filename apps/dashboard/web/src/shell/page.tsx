import { Box, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'

/** The frame of a page: its title, what belongs to the whole page at the right, and the content below. */
export function Page({
  title,
  description,
  actions,
  children,
}: {
  title: string
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <Box p={{ base: 'sm', sm: 'lg' }} maw={1500} mx="auto">
      <title>{`${title} · logstack`}</title>
      <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
        <Stack gap={2}>
          <Title order={1}>{title}</Title>
          {description && (
            <Text size="sm" className="muted" component="div">
              {description}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  )
}

/** The title of a page that has no room for one: in the browser's tab, and as a heading for people who listen to the page. */
export function PageTitle({ title }: { title: string }) {
  return (
    <>
      <title>{`${title} · logstack`}</title>
      <VisuallyHidden component="h1">{title}</VisuallyHidden>
    </>
  )
}
