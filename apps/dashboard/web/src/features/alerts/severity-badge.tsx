import type { AlertSeverity } from '@logstack/contracts'
import { Badge } from '@mantine/core'

const colors: Readonly<Record<AlertSeverity, string>> = {
  low: 'blue',
  medium: 'yellow',
  high: 'orange',
  critical: 'red',
}

/** How urgent an alert or a rule is. */
export function SeverityBadge({ severity }: { severity: AlertSeverity }) {
  return (
    <Badge color={colors[severity]} variant="light">
      {severity}
    </Badge>
  )
}
