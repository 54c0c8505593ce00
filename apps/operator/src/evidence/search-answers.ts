import { AppError, operatorErrors } from '@logstack/errors'
import { z } from 'zod'
import { shapedAnswer } from '../clients/answer-shape.ts'
import type { DoctorContext } from '../doctor/define-fault.ts'
import type { HttpAnswer } from '../doctor/probe-https.ts'
import { probeSearch } from '../doctor/probe-search.ts'

/** What a check sends to search to learn something; with a body it is a POST. Only reading requests belong here. */
export interface Question<T> {
  readonly path: string
  readonly body?: unknown
  /** What search answers. */
  readonly answer: z.ZodType<T>
}

const questionLimitMs = 5_000
const busyStatuses: readonly number[] = [429, 503]

/** Who the administrator is, as search sees it: every look with a password begins with this one request. */
export const whoAmI = '/_security/_authenticate'

/** What search answers to it. */
export const acceptedLogin = z.object({ username: z.string() })

/**
 * What search answers the administrator, asked for once a round, whatever its certificate says; undefined for 404. Throws
 * `part_unreachable` or `part_refused` when nothing can be learned, be it that another program answers: then the fault is another check's.
 * With a refused password only one request is sent, as each one more would slow down the next login.
 */
export async function askSearch<T>(context: DoctorContext, question: Question<T>): Promise<T | undefined> {
  const { path, body } = question
  await requireLogin(context)
  const answer = await context.look.once(`asked ${path} ${JSON.stringify(body) ?? ''}`, () => {
    const { choices, vault } = context.stack
    return probeSearch(context.stack, path, {
      limitMs: context.look.limitMs(questionLimitMs),
      method: body === undefined ? 'GET' : 'POST',
      body,
      credentials: { username: choices.adminUser, password: vault.read(choices.adminUser) },
    })
  })
  if (answer.state !== 'answered') throw notReached(answer)
  if (answer.status === 404) return undefined
  // Busy, or not ready yet: it may answer a moment later, and says nothing now.
  if (busyStatuses.includes(answer.status)) {
    throw notReached({ message: `no answer within its own limit: ${answer.status} to ${path.split('?')[0]}` })
  }
  if (answer.status !== 200) {
    const { reason } = errorOf(answer.body)
    throw refused(`search answers ${answer.status} to ${path.split('?')[0]}${reason && `: ${reason}`}`)
  }
  return shapedAnswer(answer, question.answer, `what search answers to ${path.split('?')[0]}`)
}

async function requireLogin({ look, stack }: DoctorContext): Promise<void> {
  const answer = await look.asAdmin(whoAmI)
  if (answer.state === 'vault') throw refused(answer.message)
  if (answer.state !== 'answered') throw notReached(answer)
  if (answer.status !== 200) throw refused(`search answers ${answer.status} to a login as [${stack.choices.adminUser}]`)
  shapedAnswer(answer, acceptedLogin, 'what search answers to a login')
}

function notReached({ message }: Pick<Exclude<HttpAnswer, { state: 'answered' }>, 'message'>): AppError {
  return new AppError(operatorErrors.part_unreachable, `search does not answer: ${message}`, {
    fix: './logstack status',
  })
}

function refused(message: string): AppError {
  return new AppError(operatorErrors.part_refused, message, { fix: './logstack doctor' })
}

/** Type and reason of an error answer of search; empty texts when it has another shape. */
export function errorOf(body: unknown): { readonly type: string; readonly reason: string } {
  const error = (body as { error?: ErrorAnswer } | null)?.error
  // What fails in shards says why below.
  const reason = error?.root_cause?.[0]?.reason ?? error?.reason
  return {
    type: typeof error?.type === 'string' ? error.type : '',
    reason: typeof reason === 'string' ? reason : '',
  }
}

interface ErrorAnswer {
  readonly type?: unknown
  readonly reason?: unknown
  readonly root_cause?: readonly { readonly reason?: unknown }[]
}
