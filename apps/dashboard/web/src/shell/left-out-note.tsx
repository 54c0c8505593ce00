import { Button, Popover, Stack, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import type { LeftOut } from '../api/left-out.ts'

/** Says that what is shown is not all, and why: a button that opens the reasons. */
export function LeftOutNote({ leftOut }: { leftOut: LeftOut | undefined }) {
  if (!leftOut) return null
  const { indices, isLate } = leftOut
  const count = indices.length === 1 ? '1 index' : `${indices.length} indices`
  const label = indices.length > 0 ? `Without ${count}` : 'Not finished in time'
  return (
    <Popover position="bottom-start" width={420} withArrow>
      <Popover.Target>
        <Button
          size="compact-xs"
          variant="light"
          color="yellow"
          leftSection={<TriangleAlert size={12} />}
          data-testid="left-out"
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={6} mah={260} style={{ overflow: 'auto' }}>
          {isLate && (
            <Text size="sm">The search ended at its time limit. What is shown is what it had found by then.</Text>
          )}
          {indices.map(({ name, reason }) => (
            <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }}>
              <Text span fw={600} size="sm">
                {name}
              </Text>{' '}
              {reason}
            </Text>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
