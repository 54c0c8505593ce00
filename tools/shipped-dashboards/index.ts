import type { GeneratedDoc } from '../generated-doc.ts'
import { exportOf } from './dashboard.ts'
import { endpointDashboards } from './endpoint.ts'
import { hostDashboards } from './hosts.ts'
import { stackDashboards } from './stack.ts'
import { vulnerabilityDashboards } from './vulnerabilities.ts'
import { windowsDashboards } from './windows.ts'

/** The files of the shipped dashboards that are written from these definitions. */
export const shippedDashboardFiles: readonly GeneratedDoc[] = [
  ...stackDashboards,
  ...hostDashboards,
  ...windowsDashboards,
  ...endpointDashboards,
  ...vulnerabilityDashboards,
].map((dashboard) => ({
  path: `dashboards/${dashboard.folder}/${dashboard.name}.ndjson`,
  render: () => exportOf(dashboard),
}))
