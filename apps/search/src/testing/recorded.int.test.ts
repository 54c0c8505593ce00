import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import {
  bodyText,
  comparable,
  differences,
  type Exchange,
  headersOf,
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
  if (after !== undefined) for (const exchange of readRecording(recordingPath(after)).exchanges) await ask(exchange)
  const unlike: object[] = []
  const alike: object[] = []
  for (const exchange of exchanges) {
    const found = await ask(exchange)
    if (exchange.differs === undefined && found.length > 0) unlike.push({ request: exchange.request, found })
    if (exchange.differs !== undefined && found.length === 0) alike.push(exchange.request)
  }
  expect({ unlike, alike }, 'without `differs` and unlike, with it and alike').toEqual({ unlike: [], alike: [] })
})

/** Where our answer is another one than the recorded. */
async function ask({ request, status, answer }: Exchange): Promise<readonly string[]> {
  const body = bodyText(request)
  const ours = await send(request.path, {
    method: request.method,
    headers: headersOf(request),
    ...(body === undefined ? {} : { body }),
  })
  const parsed = ours.headers['content-type']?.includes('json') && ours.text !== '' ? ours.json() : ours.text
  return differences(comparable({ status, answer }), comparable({ status: ours.status, answer: parsed }))
}
