import type { Alert } from './use-alerts.ts'

/** Alerts that belong together, in the order they came. */
export interface AlertGroup {
  readonly id: string
  readonly alerts: readonly Alert[]
}

/** Alerts of one rule and key together; groups stand where their first alert stood. */
export function groupAlerts(alerts: readonly Alert[]): AlertGroup[] {
  const groups = new Map<string, Alert[]>()
  for (const alert of alerts) {
    const id = alert.document.logstack.alert.group ?? `rule ${alert.document.rule.id}`
    groups.set(id, [...(groups.get(id) ?? []), alert])
  }
  return [...groups].map(([id, members]) => ({ id, alerts: members }))
}
