import type { DashboardRoute } from '../route.ts'
import { agentRoutes } from './agents.ts'
import { alertRuleRoutes } from './alert-rules.ts'
import { alertRoutes } from './alerts.ts'
import { consoleRoutes } from './console.ts'
import { dataViewRoutes } from './data-views.ts'
import { importExportRoutes } from './import-export.ts'
import { manageRoutes } from './manage.ts'
import { partsRoutes } from './parts.ts'
import { savedObjectRoutes } from './saved-objects.ts'
import { searchRoutes } from './search.ts'
import { sessionRoutes } from './session.ts'
import { statusRoutes } from './status.ts'
import { wazuhAgentRoutes } from './wazuh-agents.ts'

/** All endpoints of the dashboard's API. */
export const dashboardRoutes: readonly DashboardRoute[] = [
  ...statusRoutes,
  ...sessionRoutes,
  ...consoleRoutes,
  ...searchRoutes,
  ...importExportRoutes,
  ...savedObjectRoutes,
  ...dataViewRoutes,
  ...agentRoutes,
  ...wazuhAgentRoutes,
  ...alertRoutes,
  ...alertRuleRoutes,
  ...manageRoutes,
  ...partsRoutes,
]
