import { Box, Button, Center, Code, Collapse, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { CircleAlert, Inbox } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import { Spinner } from './spinner.tsx'

/** Something is on its way. */
export function LoadingState({ label = 'Loading' }: { label?: string }) {
  return (
    <Center h="100%" mih={120} role="status" aria-label={label}>
      <Spinner size="sm" />
    </Center>
  )
}

/** Nothing to show, why, and what can be done. */
export function EmptyState({
  title,
  children,
  action,
  icon,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
  icon?: ReactNode
}) {
  return (
    <Center h="100%" mih={160} p="lg">
      <Stack align="center" gap="xs" maw={460} ta="center">
        <Box className="muted" lh={0}>
          {icon ?? <Inbox size={32} strokeWidth={1.5} />}
        </Box>
        <Title order={3}>{title}</Title>
        {children && (
          <Text size="sm" className="muted" component="div">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  )
}

/** Something failed: the reason in words, the raw answer for who wants it, and a way to try again. */
export function ErrorState({ error, onRetry, title }: { error: unknown; onRetry?: () => void; title?: string }) {
  const [opened, { toggle }] = useDisclosure(false)
  const detail = error instanceof ApiError && error.body !== undefined ? JSON.stringify(error.body, null, 2) : undefined
  return (
    <Center h="100%" mih={120} p="md" role="alert">
      <Stack align="center" gap="xs" maw={620} w="100%">
        <Box c="red" lh={0}>
          <CircleAlert size={28} strokeWidth={1.75} />
        </Box>
        <Text fw={600}>{title ?? 'This could not be loaded'}</Text>
        {/* What is at fault in a query is told line by line. */}
        <Text size="sm" className="muted" ta="center" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          {error instanceof Error ? error.message : String(error)}
        </Text>
        <Button.Group>
          {onRetry && (
            <Button variant="default" size="xs" onClick={onRetry}>
              Try again
            </Button>
          )}
          {detail && (
            <Button variant="default" size="xs" onClick={toggle} aria-expanded={opened}>
              Details
            </Button>
          )}
        </Button.Group>
        <Collapse expanded={opened} w="100%">
          <Code block mah={260} style={{ overflow: 'auto' }}>
            {detail}
          </Code>
        </Collapse>
      </Stack>
    </Center>
  )
}
