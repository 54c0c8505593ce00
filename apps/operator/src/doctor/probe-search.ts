import { isAppError, messageOf } from '@logstack/errors'
import { jsonOrNothing } from '../places/read-json-file.ts'
import { type Stack, searchIsRemote } from '../stack.ts'
import { type HttpAnswer, type ProbeOptions, probeHttps } from './probe-https.ts'

/**
 * One request to search that never throws. To the stack's own search whatever its certificate says, as that may be the fault; to somebody else's cluster
 * only under its authority, as a password goes along.
 */
export async function probeSearch(
  stack: Pick<Stack, 'clients' | 'choices'>,
  path: string,
  options: ProbeOptions,
): Promise<HttpAnswer> {
  const { clients } = stack
  if (!searchIsRemote(stack)) return probeHttps(`${clients.searchUrl}${path}`, options)
  const { credentials, method = 'GET', limitMs: timeoutMs, body } = options
  try {
    const search = credentials
      ? clients.searchAs(credentials.username, credentials.password)
      : clients.anonymousSearch()
    const answer = await search.requestBytes({ method, path, timeoutMs, ...(body === undefined ? {} : { body }) })
    const text = answer.body.toString('utf8')
    return { state: 'answered', status: answer.status, body: jsonOrNothing(text), text }
  } catch (thrown) {
    const { cause } = thrown as Error
    const code = (cause as NodeJS.ErrnoException | undefined)?.code
    if (isAppError(thrown) && code === undefined) return { state: 'silent', message: thrown.message }
    return { state: 'unreachable', code: code ?? 'unknown', message: messageOf(thrown) }
  }
}
