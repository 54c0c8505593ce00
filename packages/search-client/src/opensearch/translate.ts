import type { SearchRequest } from '../request.ts'
import { accountTranslations } from './accounts.ts'
import { type Answer, type Ask, refusal, type Translation } from './exchange.ts'
import { callerTranslations, lackingTranslations } from './privileges-of-caller.ts'
import { roleTranslations } from './roles.ts'

const translations: readonly Translation[] = [
  ...callerTranslations,
  ...lackingTranslations,
  ...roleTranslations,
  ...accountTranslations,
]

/** Whether only Elasticsearch, and search, know such a path. */
export function isElasticsearchOnly(path: string): boolean {
  return path.startsWith('/_security/') || path.startsWith('/_ilm/')
}

/** Whether an answer says that the server has no such path: OpenSearch's words for it are a bare text. */
export function hasNoSuchPath({ status, body }: Answer): boolean {
  const error = (body as { error?: unknown } | null)?.error
  return status >= 400 && status <= 405 && typeof error === 'string' && error.startsWith('no handler found for uri')
}

/** Answers one of Elasticsearch's own requests with what OpenSearch has. `authorization` is the caller's header. */
export async function answerWithOpenSearch(
  request: Pick<SearchRequest, 'method' | 'path' | 'body'>,
  authorization: string | undefined,
  ask: Ask,
): Promise<Answer> {
  for (const translation of translations) {
    const match = translation.path.exec(request.path)
    if (!match || !translation.methods.includes(request.method)) continue
    const names = match.slice(1).filter((name) => name !== undefined)
    return translation.answer({
      method: request.method,
      names: names.map(decodeURIComponent),
      body: bodyOf(request.body),
      password: passwordIn(authorization),
      ask,
    })
  }
  const reason = `OpenSearch has nothing for ${request.method} ${request.path}`
  return refusal(400, 'illegal_argument_exception', reason)
}

function bodyOf(body: unknown): Readonly<Record<string, unknown>> {
  const value = typeof body === 'string' || Buffer.isBuffer(body) ? JSON.parse(String(body) || '{}') : body
  return (value ?? {}) as Readonly<Record<string, unknown>>
}

function passwordIn(authorization: string | undefined): string | undefined {
  const [scheme, value] = (authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'basic' || !value) return undefined
  const text = Buffer.from(value, 'base64').toString('utf8')
  return text.slice(text.indexOf(':') + 1)
}
