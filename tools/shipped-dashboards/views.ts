import type { View } from './lens.ts'

/** All logs. */
export const logs: View = { id: 'logs-*', title: 'logs-*', timeField: '@timestamp', adHoc: false }
/** All logs, and what Winlogbeat sends, which keeps its own name. */
export const logsAndWinlogbeat: View = {
  id: 'logs-*,winlogbeat-*',
  title: 'logs-*,winlogbeat-*',
  timeField: '@timestamp',
  adHoc: false,
}
/** What of hosts is vulnerable now. */
export const vulnerabilities: View = {
  id: 'endpoint-vulnerabilities',
  title: 'endpoint-vulnerabilities',
  timeField: 'vulnerability.detected_at',
  adHoc: true,
}
/** What the alerter writes. */
export const alerts: View = hidden('.logstack-alerts', '@timestamp')
/** The last look of each check of doctor. */
export const health: View = hidden('.logstack-health', '@timestamp')
/** The agents as agent-server knows them. */
export const agents: View = hidden('.logstack-agents', 'last_checkin')

function hidden(title: string, timeField: string): View {
  return { id: `shipped${title}`, title, timeField, adHoc: true }
}
