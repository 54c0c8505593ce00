import { Text, UnstyledButton } from '@mantine/core'

/** One bar of a list. */
export interface ListedBar {
  readonly id: string
  readonly label: string
  readonly value: number
  /** As people read it. */
  readonly text: string
  readonly color: string | undefined
}

/** Names with a bar as long as their value beside each other, the longest first. */
export function BarList({ bars, onChoose }: { bars: readonly ListedBar[]; onChoose?: (bar: ListedBar) => void }) {
  const longest = Math.max(0, ...bars.map(({ value }) => Math.abs(value))) || 1
  return (
    <ul className="bar-list">
      {bars.map((bar) => (
        <li key={bar.id}>
          {onChoose ? (
            <UnstyledButton className="bar-list-label" onClick={() => onChoose(bar)} fz="sm">
              {bar.label}
            </UnstyledButton>
          ) : (
            <Text size="sm" className="bar-list-label">
              {bar.label}
            </Text>
          )}
          <span className="bar-list-track">
            <span
              className="bar-list-bar"
              style={{
                width: `${(100 * Math.abs(bar.value)) / longest}%`,
                ...(bar.color ? { background: bar.color } : {}),
              }}
            />
          </span>
          <span className="bar-list-value" data-testid="bar-value">
            {bar.text}
          </span>
        </li>
      ))}
    </ul>
  )
}
