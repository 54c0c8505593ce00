import type { GeneratedDoc } from '../generated-doc.ts'
import { shippedDashboardFiles } from '../shipped-dashboards/index.ts'
import { renderAlertingPage } from './alerting-page.ts'
import { renderCompatibilityPage } from './compatibility-page.ts'
import { renderConsoleWords } from './console-words.ts'
import { renderDashboardsPage } from './dashboards-page.ts'
import { renderDecodersPage } from './decoders-page.ts'
import { renderDetectionsPage } from './detections-page.ts'
import { renderErrorsPage } from './errors-page.ts'
import { renderEsqlWords } from './esql-words.ts'
import { renderFaultsPage } from './faults-page.ts'
import { renderPipelinesPage } from './pipelines-page.ts'

/** Every generated page: one line each. */
export const generatedDocs: readonly GeneratedDoc[] = [
  { path: 'docs/alerting.md', render: renderAlertingPage },
  { path: 'docs/compatibility.md', render: renderCompatibilityPage },
  { path: 'docs/dashboards.md', render: () => renderDashboardsPage(process.cwd()) },
  { path: 'apps/dashboard/web/src/features/console/search-words.json', render: renderConsoleWords },
  { path: 'apps/dashboard/web/src/esql/esql-words.json', render: renderEsqlWords },
  { path: 'docs/decoders.md', render: renderDecodersPage },
  { path: 'docs/detections.md', render: renderDetectionsPage },
  { path: 'docs/errors.md', render: renderErrorsPage },
  { path: 'docs/operator/faults.md', render: renderFaultsPage },
  { path: 'docs/pipelines.md', render: renderPipelinesPage },
  ...shippedDashboardFiles,
]
