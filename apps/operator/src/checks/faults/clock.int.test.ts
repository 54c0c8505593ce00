import { expect, test } from 'vitest'
import { faultOnSearch } from '../../testing/fault-on-search.ts'
import { clock } from './clock.ts'

const { client, look } = faultOnSearch(clock)

const dayMs = 86_400_000
const at = (offsetMs: number): string => new Date(Date.now() + offsetMs).toISOString()

async function write(document: unknown): Promise<void> {
  const lines = [{ create: { _index: 'logs-clock-default' } }, document].map((line) => `${JSON.stringify(line)}\n`)
  const answer = await client().request({
    method: 'POST',
    path: '/_bulk',
    query: { refresh: 'true' },
    body: lines.join(''),
    contentType: 'application/x-ndjson',
  })
  expect(answer.body).toMatchObject({ errors: false })
}

test('what came while the clock of this host was ahead is told as that, not as the clock of the host it is from', async () => {
  const host = { name: 'own' }
  await write({ '@timestamp': at(400 * dayMs), event: { ingested: at(400 * dayMs) }, host })
  // Spooled before the clock leapt.
  await write({ '@timestamp': at(-dayMs), event: { ingested: at(400 * dayMs) }, host })
  const found = await look()
  expect(found).toMatchObject({
    status: 'information',
    detail: expect.stringMatching(/1 event came while the clock of this host was ahead, with times up to \d{4}-/),
  })
  expect(JSON.stringify(found)).not.toContain('other hosts')
  await write({ '@timestamp': at(30 * dayMs), event: { ingested: at(0) }, host: { name: 'other' } })
  expect(await look()).toMatchObject({
    detail: expect.stringMatching(/clocks of other hosts are off, or their zones: other 30 days ahead; set them there/),
  })
})
