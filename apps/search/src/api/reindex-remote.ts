import { AppError, searchErrors } from '@logstack/errors'
import { readTime } from './parameters.ts'
import { isObject } from './read-request.ts'

const knownKeys = ['host', 'username', 'password', 'headers', 'socket_timeout', 'connect_timeout']

function invalid(reason: string, cause?: AppError): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason, cause ? { cause } : {})
}

/**
 * `source.remote` of `_reindex`: checked as Elasticsearch does, and then refused as it refuses every host that `reindex.remote.whitelist` does not name;
 * here the list is always empty.
 */
export function refuseRemote(given: unknown): never {
  if (!isObject(given)) throw invalid('[remote] must be an object')
  const { host } = given
  if (typeof host !== 'string') throw invalid('[host] must be specified to reindex from a remote cluster')
  const [, scheme, name, port] = /^(\w+):\/\/([^:/]+|\[[^\]]+\]):(\d+)(?:\/.*)?$/.exec(host) ?? []
  if (scheme === undefined || port === undefined) {
    throw invalid(`[host] must be of the form [scheme]://[host]:[port](/[pathPrefix])? but was [${host}]`)
  }
  for (const key of ['socket_timeout', 'connect_timeout']) checkTime(key, given[key])
  const unknown = Object.keys(given).filter((key) => !knownKeys.includes(key))
  if (unknown.length > 0) throw invalid(`Unsupported fields in [remote]: [${unknown.join(',')}]`)
  throw invalid(`[${name}:${port}] not whitelisted in reindex.remote.whitelist`)
}

function checkTime(key: string, given: unknown): void {
  if (given === undefined) return
  try {
    readTime(key, String(given))
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const cause = new AppError(searchErrors.number_format_exception, `For input string: "${String(given)}"`)
    throw invalid(thrown.message, cause)
  }
}
