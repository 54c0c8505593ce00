import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, platformErrors } from '@logstack/errors'
import type { HeartbeatPlace } from './heartbeat.ts'

/**
 * What `quadlet/<part>.container` tells a part, and all it may know of where it runs. Both runtimes set the same variables.
 * Directories hold: certs `root-ca.crt`, `<part>.crt`, `<part>.key` (PEM); secrets one file a secret, named as the secret.
 */
export interface PartEnvironment {
  /** `LOGSTACK_LISTEN`, `host:port`; absent for a part that serves nothing. */
  readonly listen: { readonly host: string; readonly port: number } | undefined
  /** `LOGSTACK_DATA_DIR`: the only directory the part may write. */
  readonly dataDir: string
  /** `LOGSTACK_CERTS_DIR` */
  readonly certsDir: string
  /** `LOGSTACK_SECRETS_DIR` */
  readonly secretsDir: string
  /** `LOGSTACK_CONFIG_FILE`: the part's YAML file; may be absent. */
  readonly configFile: string | undefined
  /** `LOGSTACK_SEARCH_URL`: `https://host:port` of search or of an Elasticsearch or OpenSearch cluster; of its nodes several, with commas between. */
  readonly searchUrl: string
  /** `IPVAR`: the address people and agents use for this host; empty when unset. */
  readonly ipvar: string
  /** `LOGSTACK_READY_FILE`: written when the part is ready, removed when it stops. */
  readonly readyFile: string | undefined
  /** `LOGSTACK_HEALTH_URL` and `LOGSTACK_HEARTBEAT_FILE`: where the part asks itself, and notes that it was answered; absent where the runtime asks. */
  readonly heartbeat: HeartbeatPlace | undefined
  /** The whole environment, for a part's own variables. */
  readonly env: NodeJS.ProcessEnv
}

/** Reads the part's environment; a missing variable is `environment_missing` with its name. */
export function readPartEnvironment(env: NodeJS.ProcessEnv): PartEnvironment {
  const listen = env['LOGSTACK_LISTEN']
  return {
    listen: listen ? parseListen(listen) : undefined,
    dataDir: required(env, 'LOGSTACK_DATA_DIR'),
    certsDir: required(env, 'LOGSTACK_CERTS_DIR'),
    secretsDir: required(env, 'LOGSTACK_SECRETS_DIR'),
    configFile: env['LOGSTACK_CONFIG_FILE'],
    searchUrl: env['LOGSTACK_SEARCH_URL'] ?? 'https://logstack-search:9200',
    ipvar: env['IPVAR'] ?? '',
    readyFile: env['LOGSTACK_READY_FILE'],
    heartbeat: heartbeatOf(env),
    env,
  }
}

/** The text of a secret without its final newline; `environment_missing` when the file is absent. */
export function readSecret(environment: Pick<PartEnvironment, 'secretsDir'>, name: string): string {
  return readNamed(join(environment.secretsDir, name), `secret ${name}`).replace(/\n$/, '')
}

/** The TLS material of a part. */
export interface PartCertificates {
  readonly ca: string
  readonly cert: string
  readonly key: string
  /** Who signed search's certificate: `search-ca.crt` where search is somebody else's cluster, otherwise the same as `ca`. */
  readonly searchCa: string
  /** The operator's own certificate with its chain, for clients that ask for one of its names; absent unless one was imported. */
  readonly imported?: { readonly cert: string; readonly key: string }
}

/** Reads CA, certificate and key of `part` (PEM texts), and what was imported for it. */
export function readCertificates(environment: Pick<PartEnvironment, 'certsDir'>, part: string): PartCertificates {
  const read = (file: string): string => readNamed(join(environment.certsDir, file), `certificate file ${file}`)
  const ca = read('root-ca.crt')
  const searchCa = existsSync(join(environment.certsDir, 'search-ca.crt')) ? read('search-ca.crt') : ca
  const own = { ca, searchCa, cert: read(`${part}.crt`), key: read(`${part}.key`) }
  if (!existsSync(join(environment.certsDir, `${part}.imported.crt`))) return own
  return { ...own, imported: { cert: read(`${part}.imported.crt`), key: read(`${part}.imported.key`) } }
}

function heartbeatOf(env: NodeJS.ProcessEnv): HeartbeatPlace | undefined {
  const file = env['LOGSTACK_HEARTBEAT_FILE']
  return file ? { file, url: required(env, 'LOGSTACK_HEALTH_URL') } : undefined
}

function parseListen(text: string): { host: string; port: number } {
  const at = text.lastIndexOf(':')
  const port = Number(text.slice(at + 1))
  if (at < 1 || !Number.isInteger(port)) {
    throw new AppError(platformErrors.environment_missing, `LOGSTACK_LISTEN is [${text}], expected host:port`)
  }
  return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port }
}

function required(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name]
  if (!value) throw new AppError(platformErrors.environment_missing, `environment variable ${name} is not set`)
  return value
}

function readNamed(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    throw new AppError(platformErrors.environment_missing, `cannot read ${what} at ${path}`, {
      cause: thrown,
      fix: './logstack verify',
    })
  }
}
