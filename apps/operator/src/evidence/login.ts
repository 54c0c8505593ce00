import { setTimeout as delay } from 'node:timers/promises'
import type { DoctorContext } from '../checks/faults/define-fault.ts'
import { probeHttps } from '../doctor/probe-https.ts'
import { errorOf, whoAmI } from './search-answers.ts'

/** What became of one login at search. `slowed`: search makes this name and address wait, so nothing is known of the password. */
export type LoginOutcome =
  | { readonly state: 'accepted' }
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'slowed'; readonly reason: string }
  | { readonly state: 'unknown'; readonly why: string }

const probeLimitMs = 4_000
/** A slow-down no longer than this is waited for. */
const patienceMs = 2_000

/** Tries a name and password at search once, and once more when search asks for a short wait. Never throws. */
export async function tryLogin(
  { stack }: Pick<DoctorContext, 'stack'>,
  credentials: { readonly username: string; readonly password: string },
): Promise<LoginOutcome> {
  const probe = () => probeHttps(`${stack.clients.searchUrl}${whoAmI}`, { limitMs: probeLimitMs, credentials })
  const first = outcomeOf(await probe())
  const waitMs = first.state === 'slowed' ? waitOf(first.reason) : undefined
  if (waitMs === undefined || waitMs > patienceMs) return first
  await delay(waitMs)
  return outcomeOf(await probe())
}

/** Reads an answer to a login. */
export function outcomeOf(answer: Awaited<ReturnType<typeof probeHttps>>): LoginOutcome {
  if (answer.state !== 'answered') return { state: 'unknown', why: `search does not answer: ${answer.message}` }
  const { type, reason } = errorOf(answer.body)
  if (answer.status === 200) return { state: 'accepted' }
  if (answer.status === 429) return { state: 'slowed', reason }
  if (answer.status === 401 && type === 'security_exception' && reason.startsWith('unable to authenticate user ')) {
    return { state: 'refused', reason }
  }
  return {
    state: 'unknown',
    why: `what listens at the port of search answers ${answer.status}: ${answer.text.slice(0, 200)}`,
  }
}

function waitOf(reason: string): number | undefined {
  const seconds = /try again in (\d+) s/.exec(reason)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}
