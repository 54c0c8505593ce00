import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import {
  bodyText,
  comparable,
  differences,
  type Exchange,
  headersOf,
  Kept,
  readRecording,
  recordingPath,
} from './recorded-answers.ts'
import { searchOverWire } from './search-over-wire.ts'

const send = searchOverWire()
const names = readdirSync(fileURLToPath(new URL('./recorded', import.meta.url)))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace(/\.json$/u, ''))

it.each(names)('answers as Elasticsearch did: %s', async (name) => {
  const { after, exchanges } = readRecording(recordingPath(name))
  const kept = new Kept()
  if (after !== undefined)
    for (const exchange of readRecording(recordingPath(after)).exchanges) await ask(exchange, kept)
  const unlike: object[] = []
  const alike: object[] = []
  for (const exchange of exchanges) {
    const found = await ask(exchange, kept)
    if (exchange.differs === undefined && found.length > 0) unlike.push({ request: exchange.request, found })
    if (exchange.differs !== undefined && found.length === 0) alike.push(exchange.request)
  }
  expect({ unlike, alike }, 'without `differs` and unlike, with it and alike').toEqual({ unlike: [], alike: [] })
})

/** Where our answer is another one than the recorded. */
async function ask({ request, status, answer, keep = {} }: Exchange, kept: Kept): Promise<readonly string[]> {
  const body = bodyText(request)
  const headers = Object.entries(headersOf(request)).map(([name, value]) => [name, kept.filled(value)])
  const ours = await send(kept.filled(request.path), {
    method: request.method,
    headers: Object.fromEntries(headers),
    ...(body === undefined ? {} : { body: kept.filled(body) }),
  })
  const parsed = ours.headers['content-type']?.includes('json') && ours.text !== '' ? ours.json() : ours.text
  const named = kept.named({ keep }, parsed)
  return differences(comparable({ status, answer }), comparable({ status: ours.status, answer: named }))
}
