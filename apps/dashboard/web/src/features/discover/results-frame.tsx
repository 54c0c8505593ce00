import { Box, Button, Group, Skeleton, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { PanelLeft } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { readChartsSoon } from '../../charts/chart.tsx'
import { messages } from './messages.ts'

interface ResultsFrameProps {
  readonly fields: ReactNode
  /** How much was found, and what is to be said of it. */
  readonly summary: ReactNode
  /** What the bars stand for. */
  readonly note: string | undefined
  /** What can be done with the whole result. */
  readonly actions: ReactNode
  readonly children: ReactNode
}

/** The places of what was found: fields at the left, the rest at the right. */
export function ResultsFrame({ fields, summary, note, actions, children }: ResultsFrameProps) {
  useEffect(readChartsSoon, [])
  const [fieldsShown, setFieldsShown] = useLocalStorage({ key: 'logstack.discover.fields', defaultValue: true })
  return (
    <div className="discover-body">
      {fieldsShown && (
        <Box component="aside" className="discover-fields" aria-label={messages.fields} visibleFrom="sm">
          {fields}
        </Box>
      )}
      <div className="discover-results">
        <Group justify="space-between" px="sm" py={6} wrap="nowrap" className="discover-summary">
          <Group gap="xs" wrap="nowrap">
            <Button
              visibleFrom="sm"
              variant="subtle"
              color="gray"
              size="compact-xs"
              leftSection={<PanelLeft size={14} />}
              onClick={() => setFieldsShown(!fieldsShown)}
            >
              {fieldsShown ? messages.hideFields : messages.showFields}
            </Button>
            {summary}
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Text size="xs" className="muted truncate" visibleFrom="xl">
              {note}
            </Text>
            {actions}
          </Group>
        </Group>
        {children}
      </div>
    </div>
  )
}

/** Stands where what was found will be. */
export function LoadingRows() {
  return (
    <Box p="sm" role="status" aria-label="Loading">
      <Skeleton h={96} mb="sm" animate={false} />
      {Array.from({ length: 9 }, (_, row) => row).map((row) => (
        <Skeleton key={row} h={22} mb={10} animate={false} />
      ))}
    </Box>
  )
}
