import '@logstack/part/early-signals'
import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { accountOf } from '@logstack/contracts'
import { isAppError } from '@logstack/errors'
import { replaceCertificate } from '@logstack/http-server'
import type { Logger } from '@logstack/logging'
import { type PartContext, type RunningPart, readCertificates, readSecret, runPart } from '@logstack/part'
import { SearchClient } from '@logstack/search-client'
import { HttpsJson } from './https-json.ts'
import { SavedObjectRepository } from './saved-objects/repository.ts'
import { ScriptedFields } from './saved-objects/scripted-fields.ts'
import { createDashboard } from './server.ts'
import type { Services } from './services.ts'
import { cookieNameOf } from './session/cookie.ts'
import { LoginLimit } from './session/login-limit.ts'
import { sessionFile } from './session/session-file.ts'
import { SessionStore } from './session/store.ts'
import { searchTokens } from './session/tokens.ts'
import { type DashboardSettings, dashboardSettings } from './settings.ts'
import { WebAssets } from './web/assets.ts'

const sweepIntervalMs = 60_000
const searchWaitMs = 120_000
const agentServerTimeoutMs = 5_000

await runPart({ name: 'dashboard', settings: dashboardSettings, start })

async function start(context: PartContext<DashboardSettings>): Promise<RunningPart> {
  const { environment, settings, logger } = context
  const { listen, env } = environment
  const certificates = readCertificates(environment, 'dashboard')
  const { username } = accountOf('dashboard')
  const anonymous = new SearchClient({ url: environment.searchUrl, ca: certificates.searchCa, connectionsMax: 64 })
  const search = anonymous.withCredentials({ username, password: readSecret(environment, username) })
  const agentServerUrl = env['LOGSTACK_AGENT_SERVER_URL']
  const now = Date.now
  const savedObjects = new SavedObjectRepository(search, now)
  const services: Services = {
    settings,
    logger,
    search,
    sessions: new SessionStore({
      tokens: searchTokens(search),
      keeper: sessionFile(join(environment.dataDir, 'sessions.json'), logger),
      limits: () => ({
        idleTimeoutMs: settings.get('session.idle_timeout_ms'),
        lifetimeMs: settings.get('session.lifetime_ms'),
        countMax: settings.get('session.count_max'),
      }),
      now,
      logger,
    }),
    loginLimit: new LoginLimit(
      () => ({ failuresMax: settings.get('login.failures_max'), windowMs: settings.get('login.window_ms') }),
      () => performance.now(),
    ),
    savedObjects,
    scriptedFields: new ScriptedFields(savedObjects),
    assets: new WebAssets(env['LOGSTACK_WEB_DIR'] ?? new URL('./web', import.meta.url).pathname),
    agentServer: agentServerUrl
      ? new HttpsJson({ url: agentServerUrl, ca: certificates.ca, timeoutMs: agentServerTimeoutMs })
      : undefined,
    endpointManagerUrl: env['LOGSTACK_ENDPOINT_MANAGER_URL'],
    caFingerprint: new X509Certificate(certificates.ca).fingerprint256.replaceAll(':', '').toLowerCase(),
    cookieName: cookieNameOf(certificates.ca),
    now,
  }
  await ensureSavedObjects(services.savedObjects, logger)
  const app = createDashboard(services, certificates)
  const sweeper = setInterval(() => services.sessions.sweep(), sweepIntervalMs)
  await app.listen({ host: listen?.host ?? '127.0.0.1', port: listen?.port ?? 5601 })
  return {
    reload: () => replaceCertificate(app, readCertificates(environment, 'dashboard')),
    async stop() {
      clearInterval(sweeper)
      services.sessions.keep()
      await app.close()
      services.agentServer?.close()
      anonymous.close()
    },
  }
}

/** Search may be restarting just now: worth waiting for, up to a limit. */
async function ensureSavedObjects(repository: SavedObjectRepository, logger: Logger): Promise<void> {
  const giveUpAt = performance.now() + searchWaitMs
  for (;;) {
    try {
      return await repository.ensure()
    } catch (thrown) {
      const worthWaiting = isAppError(thrown) && thrown.kind === 'unavailable'
      if (!worthWaiting || performance.now() > giveUpAt) throw thrown
      logger.warn(`waiting for search: ${thrown.message}`)
      await delay(1_000)
    }
  }
}
