import type { Logger } from '@logstack/logging'
import type { SearchClient } from '@logstack/search-client'
import type { LiveSettings } from '@logstack/settings'
import type { HttpsJson } from './https-json.ts'
import type { SavedObjectRepository } from './saved-objects/repository.ts'
import type { ScriptedFields } from './saved-objects/scripted-fields.ts'
import type { LoginLimit } from './session/login-limit.ts'
import type { SessionStore } from './session/store.ts'
import type { DashboardSettings } from './settings.ts'
import type { WebAssets } from './web/assets.ts'

/** Everything a route works with; made once at start. */
export interface Services {
  readonly settings: LiveSettings<DashboardSettings>
  readonly logger: Logger
  /** As the dashboard's own account: saved objects and the version of search, nothing else. */
  readonly search: SearchClient
  readonly sessions: SessionStore
  readonly loginLimit: LoginLimit
  readonly savedObjects: SavedObjectRepository
  readonly scriptedFields: ScriptedFields
  readonly assets: WebAssets
  readonly agentServer: HttpsJson | undefined
  readonly endpointManagerUrl: string | undefined
  /** SHA-256 of the stack's authority, in hex. */
  readonly caFingerprint: string
  /** The name of the session cookie, different for each stack: cookies do not tell ports apart. */
  readonly cookieName: string
  readonly now: () => number
}
