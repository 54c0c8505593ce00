// The page's first program, small, so that it runs while the others are still read: it asks for what the page at this address will want.
import type { SessionInfo } from '../../../server/src/api-types.ts'
import { request, sessionPath } from '../api/client.ts'
import { askEarly } from '../api/early.ts'
import { loadIndexPatterns } from '../api/index-patterns.ts'
import { loadDashboard } from '../features/dashboards/model/load-dashboard.ts'
import { basePath } from '../url-state/app-path.ts'
import { pathId } from '../url-state/path-id.ts'

function askForPage(path: string): void {
  const [, dashboard] = /^\/app\/dashboards\/([^/]+)$/.exec(path) ?? []
  if (dashboard !== undefined) {
    const id = pathId(dashboard)
    void askEarly(['dashboard', id], () => loadDashboard(id))
  } else if (path === '/' || path === '/app/discover') {
    void askEarly(['index-patterns'], () => loadIndexPatterns())
  }
}

async function askForSession(): Promise<SessionInfo | null> {
  const session = await request<SessionInfo | null>(sessionPath)
  // Only for who is logged in: to everyone else a page's data is refused, which browsers note as an error.
  if (session) askForPage(window.location.pathname.slice(basePath().length))
  return session
}

void askEarly(['session'], askForSession)
