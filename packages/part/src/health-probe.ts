import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { messageOf } from '@logstack/errors'

/** Asks once: undefined for an answer 200 within the limit over TLS that the authority vouches for, else what went wrong. Never throws. */
export type Probe = (url: string, timeoutMs: number) => Promise<string | undefined>

const answerCharactersMax = 200

/** A probe that trusts the authority in `caFile`, read each time: it may be renewed while the stack runs. */
export function httpsProbe(caFile: string): Probe {
  return (url, timeoutMs) =>
    new Promise((resolve) => {
      const fail = (thrown: unknown): void => resolve(`${url}: ${messageOf(thrown)}`)
      try {
        const options = { ca: readFileSync(caFile), agent: false, signal: AbortSignal.timeout(timeoutMs) }
        const outgoing = request(url, options, (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => {
            text = (text + chunk).slice(0, answerCharactersMax)
          })
          response.on('end', () =>
            resolve(response.statusCode === 200 ? undefined : `${url} answers ${response.statusCode}: ${text}`),
          )
          response.on('error', fail)
        })
        outgoing.on('error', fail)
        outgoing.end()
      } catch (thrown) {
        fail(thrown)
      }
    })
}
