import { AppError, operatorErrors } from '@logstack/errors'
import { shapedAnswer } from '../clients/answer-shape.ts'
import type { DoctorContext } from '../doctor/define-fault.ts'
import { probeHttps } from '../doctor/probe-https.ts'
import type { Question } from './search-answers.ts'

const questionLimitMs = 5_000

/** A part that answers the administrator's questions, beside search. */
export type AskedPart = 'dashboard' | 'agent-server'

/**
 * What the dashboard or agent-server answers the administrator, asked for once a round, whatever its certificate says. Throws
 * `part_unreachable` or `part_refused` when nothing can be learned.
 */
export async function askPart<T>({ look, stack }: DoctorContext, part: AskedPart, question: Question<T>): Promise<T> {
  const { path, body } = question
  const { clients, choices, vault } = stack
  const url = part === 'dashboard' ? clients.dashboardUrl : clients.agentServerUrl
  const credentials = { username: choices.adminUser, password: vault.read(choices.adminUser) }
  const answer = await look.once(`${part} ${path} ${JSON.stringify(body) ?? ''}`, () =>
    probeHttps(`${url}${path}`, {
      limitMs: look.limitMs(questionLimitMs),
      method: body === undefined ? 'GET' : 'POST',
      body,
      credentials,
    }),
  )
  const fix = `./logstack logs ${part}`
  if (answer.state !== 'answered') {
    throw new AppError(operatorErrors.part_unreachable, `${part} does not answer: ${answer.message}`, { fix })
  }
  if (answer.status >= 300) {
    throw new AppError(operatorErrors.part_refused, `${part} answers ${answer.status} to ${path}`, { fix })
  }
  return shapedAnswer(answer, question.answer, `what ${part} answers to ${path}`)
}
