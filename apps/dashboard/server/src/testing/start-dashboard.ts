import { request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createLogger } from '@logstack/logging'
import { SearchClient } from '@logstack/search-client'
import { LiveSettings } from '@logstack/settings'
import { HttpsJson } from '../https-json.ts'
import { SavedObjectRepository } from '../saved-objects/repository.ts'
import { ScriptedFields } from '../saved-objects/scripted-fields.ts'
import { createDashboard } from '../server.ts'
import type { Services } from '../services.ts'
import { LoginLimit } from '../session/login-limit.ts'
import { SessionStore } from '../session/store.ts'
import { searchTokens } from '../session/tokens.ts'
import { dashboardSettings } from '../settings.ts'
import { WebAssets } from '../web/assets.ts'

export interface TestDashboard {
  readonly url: string
  readonly services: Services
  close(): Promise<void>
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  json(): Record<string, unknown>
}

/** Starts the real server against the search at `searchUrl`, as the part's main does. */
export async function startTestDashboard(options: {
  searchUrl: string
  tls: { ca: string; cert: string; key: string }
  webDir: string
  password?: string
  agentServerUrl?: string
  /** Settings, as the environment names them. */
  env?: Readonly<Record<string, string>>
}): Promise<TestDashboard> {
  const { tls } = options
  const settings = new LiveSettings(dashboardSettings, { env: { ...options.env } })
  const logger = createLogger('dashboard', 'silent')
  const anonymous = new SearchClient({ url: options.searchUrl, ca: tls.ca })
  const credentials = { username: 'logstack_dashboard', password: options.password ?? 'service secret' }
  const search = anonymous.withCredentials(credentials)
  const limits = { idleTimeoutMs: 3_600_000, lifetimeMs: 43_200_000, countMax: 100 }
  const keeper = { load: () => [], save: () => undefined }
  const savedObjects = new SavedObjectRepository(search, Date.now)
  const services: Services = {
    settings,
    logger,
    search,
    sessions: new SessionStore({ tokens: searchTokens(search), keeper, limits: () => limits, now: Date.now, logger }),
    loginLimit: new LoginLimit(() => ({ failuresMax: 3, windowMs: 60_000 }), Date.now),
    savedObjects,
    scriptedFields: new ScriptedFields(savedObjects),
    assets: new WebAssets(options.webDir),
    agentServer: options.agentServerUrl
      ? new HttpsJson({ url: options.agentServerUrl, ca: tls.ca, timeoutMs: 2_000 })
      : undefined,
    endpointManagerUrl: undefined,
    caFingerprint: 'ab'.repeat(32),
    cookieName: 'logstack_sid_test',
    now: Date.now,
  }
  await services.savedObjects.ensure()
  const app = createDashboard(services, tls)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url: `https://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    services,
    async close() {
      await app.close()
      anonymous.close()
    },
  }
}

/** One HTTPS request under the test authority. */
export function send(
  url: string,
  ca: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Buffer; signal?: AbortSignal } = {},
): Promise<TestAnswer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, signal } = options
    const outgoing = httpsRequest(
      url,
      { ca, method, headers, agent: false, ...(signal ? { signal } : {}) },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: () => JSON.parse(text) })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(options.body)
  })
}
