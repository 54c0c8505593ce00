import { isAppError } from '@logstack/errors'
import { z } from 'zod'
import type { DoctorContext } from '../doctor/define-fault.ts'
import type { HttpAnswer } from '../doctor/probe-https.ts'
import { probeSearch } from '../doctor/probe-search.ts'
import type { Stack } from '../stack.ts'
import { acceptedLogin, errorOf, whoAmI } from './search-answers.ts'

/** What became of one login at search. `slowed`: search makes this name and address wait, so nothing is known of the password. */
export type LoginOutcome =
  | { readonly state: 'accepted' }
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'slowed'; readonly reason: string }
  | { readonly state: 'unknown'; readonly why: string }

const probeLimitMs = 4_000
const insideLimitMs = 10_000

/**
 * Tries a name and password at search. Search slows down a name from an address where it failed too often, whoever it was: then the try is
 * made once more from an address that nobody else uses, where search runs. Never throws.
 */
export async function tryLogin(
  { look, stack }: Pick<DoctorContext, 'look' | 'stack'>,
  credentials: Login,
): Promise<LoginOutcome> {
  const login = outcomeOf(await probeSearch(stack, whoAmI, { limitMs: look.limitMs(probeLimitMs), credentials }))
  return login.state === 'slowed' ? ((await tryInside(stack, credentials)) ?? login) : login
}

/** A name and its password. */
export interface Login {
  readonly username: string
  readonly password: string
}

const searchPort = 9200
const insideProgram = `
const { port, path, username, password } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
const headers = { authorization: 'Basic ' + Buffer.from(username + ':' + password).toString('base64') }
const options = { host: '127.0.0.1', localAddress: '127.0.0.9', port, path, headers, rejectUnauthorized: false, timeout: ${probeLimitMs} }
const request = require('node:https').get(options, (answer) => {
  let text = ''
  answer.on('data', (chunk) => { text += chunk })
  answer.on('end', () => console.log(JSON.stringify({ status: answer.statusCode, text })))
})
request.on('timeout', () => request.destroy(new Error('no answer')))
`

/** The outcome of a login where search runs; undefined when no command can be run there. */
export async function tryInside(
  { ports, runtime }: Pick<Stack, 'ports' | 'runtime'>,
  login: Login,
): Promise<LoginOutcome | undefined> {
  const isInContainer = runtime.kind === 'podman'
  const input = JSON.stringify({ ...login, port: isInContainer ? searchPort : ports.of(searchPort), path: whoAmI })
  const node = isInContainer ? 'node' : process.execPath
  try {
    const { stdout } = await runtime.exec('search', [node, '-e', insideProgram], { timeoutMs: insideLimitMs, input })
    const { status, text } = insideSchema.parse(JSON.parse(stdout))
    return outcomeOf({ state: 'answered', status, text, body: JSON.parse(text) })
  } catch (thrown) {
    if (isAppError(thrown) || thrown instanceof SyntaxError || thrown instanceof z.ZodError) return undefined
    throw thrown
  }
}

const insideSchema = z.object({ status: z.number(), text: z.string() })

/** Reads an answer to a login. */
export function outcomeOf(answer: HttpAnswer): LoginOutcome {
  if (answer.state !== 'answered') return { state: 'unknown', why: `search does not answer: ${answer.message}` }
  const { type, reason } = errorOf(answer.body)
  if (answer.status === 200 && acceptedLogin.safeParse(answer.body).success) return { state: 'accepted' }
  if (answer.status === 429) return { state: 'slowed', reason }
  if (answer.status === 401 && type === 'security_exception' && reason.startsWith('unable to authenticate user ')) {
    return { state: 'refused', reason }
  }
  return {
    state: 'unknown',
    why: `what listens at the port of search answers ${answer.status}: ${answer.text.slice(0, 200)}`,
  }
}
