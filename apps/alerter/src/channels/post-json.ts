import { AppError, alerterErrors, messageOf } from '@logstack/errors'
import { z } from 'zod'
import { type ChannelContext, secretOr } from './define-channel.ts'

const answerCharactersMax = 300
/** Receivers answer some words, or an issue's fields; who answers more is read no further. */
const answerBytesMax = 1_048_576

/** An address to post to: `https://…`, `http://…` or `secret:NAME`. */
export const urlOption = secretOr(z.url({ protocol: /^https?$/ }))

/** One address or several. */
export const urlsOption = z.union([urlOption.transform((one) => [one]), z.array(urlOption).min(1)])

/** What is posted, and where. */
export interface JsonRequest {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * Sends JSON and answers `HOST answered STATUS` with the first of the answer's text. Anything but 2xx, and no answer in time, is
 * `notify_failed`. Words name the host only: a webhook's path is its secret.
 */
export async function postJson(
  request: JsonRequest,
  context: Pick<ChannelContext, 'timeoutMs' | 'signal'>,
): Promise<{ readonly said: string; readonly body: unknown }> {
  const { host } = parseUrl(request.url)
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(context.timeoutMs)])
  let status: number
  let text: string
  try {
    const response = await fetch(request.url, {
      method: request.method ?? 'POST',
      redirect: 'error',
      headers: { ...(request.body === undefined ? {} : { 'content-type': 'application/json' }), ...request.headers },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      signal,
    })
    status = response.status
    text = await textOf(response)
  } catch (thrown) {
    const why = thrown instanceof Error && thrown.cause ? messageOf(thrown.cause) : messageOf(thrown)
    throw new AppError(alerterErrors.notify_failed, `cannot post to ${host}: ${why}`, { cause: thrown })
  }
  const words = text.trim().slice(0, answerCharactersMax)
  const said = `${host} answered ${status}${words === '' ? '' : `: ${words}`}`
  if (status >= 300) throw new AppError(alerterErrors.notify_failed, said)
  return { said, body: parsed(text) }
}

/** The text of an answer, as far as it is read: one that never ends must not fill the memory. Ends the connection where there is more. */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= answerBytesMax) break
  }
  return Buffer.concat(chunks).toString('utf8', 0, answerBytesMax)
}

/** The header of name and password. */
export function basicAuth(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

function parseUrl(url: string): URL {
  try {
    return new URL(url)
  } catch (cause) {
    throw new AppError(alerterErrors.notify_failed, 'the address to post to is no URL', { cause })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
