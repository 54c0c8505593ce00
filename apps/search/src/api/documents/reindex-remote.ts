import { AppError, searchErrors } from '@logstack/errors'
import { fitsStars } from '@logstack/rules'
import { isObject } from '../../json/json-object.ts'
import type { RemoteSources } from '../../services.ts'
import { readTime } from '../../values/unit-values.ts'
import type { RemoteCluster } from './remote-cluster.ts'

const knownKeys = ['host', 'username', 'password', 'headers', 'socket_timeout', 'connect_timeout']
const timeoutMsDefault = 30_000

function invalid(reason: string, cause?: AppError): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason, cause ? { cause } : {})
}

/** `source.remote` of `_reindex`: checked as Elasticsearch does, and refused for hosts that `reindex.remote.whitelist` does not name. */
export function readRemote(given: unknown, allowed: RemoteSources | undefined): RemoteCluster {
  if (!isObject(given)) throw invalid('[remote] must be an object')
  const { host } = given
  if (typeof host !== 'string') throw invalid('[host] must be specified to reindex from a remote cluster')
  const [, scheme, name, port] = /^(\w+):\/\/([^:/]+|\[[^\]]+\]):(\d+)(?:\/.*)?$/.exec(host) ?? []
  if (scheme === undefined || port === undefined || !URL.canParse(host)) {
    throw invalid(`[host] must be of the form [scheme]://[host]:[port](/[pathPrefix])? but was [${host}]`)
  }
  const timeout = (key: string) => (given[key] === undefined ? timeoutMsDefault : timeOf(key, given[key]))
  const [socketTimeoutMs, connectTimeoutMs] = [timeout('socket_timeout'), timeout('connect_timeout')]
  const unknown = Object.keys(given).filter((key) => !knownKeys.includes(key))
  if (unknown.length > 0) throw invalid(`Unsupported fields in [remote]: [${unknown.join(',')}]`)
  const place = `${name}:${port}`
  if (allowed === undefined || !allowed.hosts.some((pattern) => fitsStars(place, pattern)))
    throw invalid(`[${place}] not whitelisted in reindex.remote.whitelist`)
  if (scheme !== 'http' && scheme !== 'https') throw invalid(`[host] must be of http or https but was [${host}]`)
  const { authorities } = allowed
  return { url: new URL(host), headers: headersOf(given), socketTimeoutMs, connectTimeoutMs, authorities }
}

function headersOf(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const { username, password, headers = {} } = given
  if (!isObject(headers)) throw invalid('[headers] must be an object')
  const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])
  if (username === undefined && password === undefined) return Object.fromEntries(texts)
  if (typeof username !== 'string' || typeof password !== 'string')
    throw invalid('[username] and [password] must be given together, as texts')
  const basic = Buffer.from(`${username}:${password}`).toString('base64')
  return { ...Object.fromEntries(texts), authorization: `Basic ${basic}` }
}

function timeOf(key: string, given: unknown): number {
  try {
    return readTime(key, String(given))
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const cause = new AppError(searchErrors.number_format_exception, `For input string: "${String(given)}"`)
    throw invalid(thrown.message, cause)
  }
}
