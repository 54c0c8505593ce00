import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { rootCertificates } from 'node:tls'
import { type PartContext, type RunningPart, readCertificates, readSecret } from '@logstack/part'
import { routes } from './api/index.ts'
import { archiveClusterSettings } from './cluster-settings/archive.ts'
import { createDocuments } from './documents/group-commit.ts'
import { settledReads } from './documents/settled-reads.ts'
import { createChdbEngine } from './engine/chdb.ts'
import { tracedEngine } from './engine/traced-engine.ts'
import { engineMemory } from './engine-memory.ts'
import { HttpTraffic } from './http-traffic.ts'
import { createCatalogue } from './indices/lmdb-catalogue.ts'
import { createGeoDatabases } from './ingest/geo/databases.ts'
import { useGeoDatabases } from './ingest/pipelines.ts'
import { startLifecycle } from './lifecycle/scheduler.ts'
import { createAuditFile } from './security/audit/audit-file.ts'
import { type AuditTrail, noAuditTrail } from './security/audit/events.ts'
import { includedEvents } from './security/audit/included-events.ts'
import { bootstrapAdministrator, createSecurity, hasUsers } from './security/create-security.ts'
import { serveLocalReset } from './security/local-reset.ts'
import { createSearchServer, defaultServerLimits } from './server.ts'
import type { Services } from './services.ts'
import type { SearchSettings } from './settings.ts'
import { readCredentials } from './snapshots/storage/credentials.ts'
import { createStore } from './store/lmdb-store.ts'

type Context = PartContext<SearchSettings>

/** Aggregations and wide scans that run at once; light searches have sessions of their own. */
const heavySessions = 2

/** Starts search: catalogue, engine, unfinished commits, administrator; it listens only when all of it is there. */
export async function startSearch(context: Context): Promise<RunningPart> {
  const { environment, settings, logger } = context
  const { listen } = environment
  if (!listen) throw new Error('BUG: search was started without LOGSTACK_LISTEN')
  const services = await openServices(context)
  await ensureAdministrator(context, services)
  const server = createSearchServer({
    tls: readCertificates(environment, 'search'),
    services,
    routes,
    limits: {
      ...defaultServerLimits,
      bodyBytesMax: settings.get('http.body_bytes_max'),
      requestTimeMsMax: settings.get('http.request_time_ms_max'),
      gzipBytesMin: settings.get('http.gzip_bytes_min'),
    },
  })
  const localReset = await startLocalReset(context, services)
  await server.listen(listen.host, listen.port)
  const lifecycle = startLifecycle(services)
  return {
    async stop() {
      localReset?.close()
      await server.close()
      await lifecycle.close()
      await services.audit.close()
      await services.documents.close()
      await services.engine.close()
      await services.store.close()
    },
    reload() {
      server.replaceCertificate(readCertificates(environment, 'search'))
      logger.info('certificate read again')
    },
  }
}

async function openServices({ environment, settings, logger }: Context): Promise<Services> {
  const { dataDir, env } = environment
  const now = Date.now
  // In a container the cgroup's limit counts, not the host's memory.
  const memory = engineMemory(env['ES_JAVA_OPTS'], Math.min(totalmem(), process.constrainedMemory() || totalmem()))
  if (memory.ignored.length > 0)
    logger.info({ options: memory.ignored }, 'options of ES_JAVA_OPTS without a meaning here')
  const store = createStore(join(dataDir, 'catalogue'))
  const limits = {
    timeMsMax: settings.get('engine.search_time_ms_max'),
    memoryBytesMax: Math.min(memory.bytesMax, settings.get('engine.search_memory_bytes_max')),
  }
  const chdb = await createChdbEngine({
    directory: join(dataDir, 'engine'),
    memoryBytesMax: memory.bytesMax,
    light: { sessions: settings.get('engine.search_sessions'), limits },
    heavy: { sessions: heavySessions, limits },
  })
  const engine = tracedEngine(chdb, logger)
  const archivedSettings = await archiveClusterSettings(store)
  if (archivedSettings.length > 0)
    logger.warn({ settings: archivedSettings }, 'settings of the cluster that are not known any more were archived')
  const catalogue = await createCatalogue({ store, engine, now, logger })
  if (environment.configFile !== undefined) {
    const directory = join(dirname(environment.configFile), 'geoip')
    useGeoDatabases(catalogue, createGeoDatabases({ directory, logger }))
  }
  const documents = await createDocuments({
    engine,
    store,
    catalogue,
    logger,
    directory: join(dataDir, 'segments'),
    now,
  })
  const security = createSecurity({
    store,
    now,
    aliasesOf(name) {
      const index = catalogue.index(name)
      return [...Object.keys(index?.aliases ?? {}), ...(index?.dataStream === undefined ? [] : [index.dataStream])]
    },
    lifetimes: {
      accessMs: settings.get('security.token_lifetime_ms'),
      refreshMs: settings.get('security.refresh_lifetime_ms'),
    },
  })
  return {
    audit: createAudit({ environment, settings, logger }, catalogue, now),
    engine: settledReads(engine, documents),
    store,
    catalogue,
    documents,
    security,
    logger,
    http: new HttpTraffic(settings.get('http.body_bytes_max'), now),
    nodeName,
    startedAtMs: now(),
    engineMemoryBytesMax: memory.bytesMax,
    repositoryFolders: settings.get('path.repo').map((folder) => resolve(dataDir, folder)),
    ...s3Of(settings, dataDir),
    remoteSources: {
      hosts: settings.get('reindex.remote.whitelist'),
      authorities: authoritiesOf(settings.get('reindex.ssl.certificate_authorities'), dataDir),
    },
    now,
  }
}

/** The store of repositories in buckets, where the settings name one. Its keys are read when they are needed. */
function s3Of(settings: Context['settings'], dataDir: string): Pick<Services, 's3'> {
  const endpoint = settings.get('s3.client.default.endpoint')
  if (endpoint === '') return {}
  const file = resolve(dataDir, settings.get('s3.client.default.credentials_file'))
  return {
    s3: {
      url: new URL(endpoint),
      region: settings.get('s3.client.default.region'),
      pathStyle: settings.get('s3.client.default.path_style_access'),
      authorities: authoritiesOf(settings.get('s3.client.default.certificate_authorities'), dataDir),
      credentials: () => readCredentials(file),
    },
  }
}

/** The authorities of others beside the system's own, as one text. */
function authoritiesOf(files: readonly string[], dataDir: string): string | undefined {
  if (files.length === 0) return undefined
  return [...rootCertificates, ...files.map((file) => readFileSync(resolve(dataDir, file), 'utf8'))].join('\n')
}

const nodeName = 'logstack-search'

function createAudit(
  { environment, settings, logger }: Pick<Context, 'environment' | 'settings' | 'logger'>,
  catalogue: Services['catalogue'],
  now: () => number,
): AuditTrail {
  if (!settings.get('security.audit.enabled')) return noAuditTrail
  return createAuditFile({
    directory: join(environment.dataDir, 'audit'),
    limits: {
      fileBytesMax: settings.get('security.audit.file_bytes_max'),
      filesMax: settings.get('security.audit.files_max'),
    },
    included: includedEvents(catalogue, settings.get('security.audit.events')),
    node: { 'cluster.uuid': catalogue.clusterUuid, 'node.name': nodeName },
    now,
    logger,
  })
}

/** Passwords can be reset on this host without the old one, where the definition names a socket for it. */
function startLocalReset({ environment, logger }: Context, { security, audit }: Services) {
  const path = environment.env['LOGSTACK_LOCAL_SOCKET']
  if (!path) return undefined
  const places = {
    publicKeyFile: join(environment.certsDir, 'operator.pub'),
    directory: join(environment.dataDir, 'handover'),
  }
  return serveLocalReset({ path, security, places, logger, audit })
}

/** The first start makes the administrator from the secret of the same name; later starts change nothing about users. */
async function ensureAdministrator({ environment, logger }: Context, { store }: Services): Promise<void> {
  if (hasUsers(store)) return
  const username = environment.env['LOGSTACK_ADMIN_USER'] || 'elastic'
  await bootstrapAdministrator(store, username, readSecret(environment, username))
  logger.info({ username }, 'administrator created')
}
