import { readFileSync, writeFileSync } from 'node:fs'
import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type WireClient, wireClient } from '../testing/https-client.ts'
import { type MalformedRequest, malformedRequest, randomOf } from './mutate.fixture.ts'
import { mappings, seeds } from './seeds.fixture.ts'

/** What Elasticsearch answers with 500, too (`testing/recorded/indices.json`), though the client is at fault. */
const asElasticsearch = /"type":"illegal_state_exception","reason":"alias \[.*\] has more than one write index \[/su
const requests = Number(process.env['LOGSTACK_FUZZ'] ?? 1_500)
const seed = Number(process.env['LOGSTACK_SEED'] ?? 1)
/** So many of a seed's requests are left out first: a run that ended goes on, and a fault comes again. */
const skipped = Number(process.env['LOGSTACK_FUZZ_FROM'] ?? 0)
/** Where the full run leaves its figures for `docs/reliability.md`. */
const reportFile = process.env['LOGSTACK_FUZZ_REPORT']
const clients = 6
const documents = 50
/** A request whose answer takes longer has no end. */
const answerMsMax = 120_000
const faultsMax = 20

let search: TestSearch
let client: WireClient

beforeAll(async () => {
  search = await startSearch({ env: { LOGSTACK_LOG_LEVEL: 'error' } })
  const auth = `${search.username}:${search.password}`
  client = wireClient({ port: Number(new URL(search.url).port), ca: search.ca, auth })
  await prepare()
})
afterAll(async () => {
  client?.close()
  await search?.stop()
})

/** The index that requests are about, which some of them may have deleted. */
async function prepare(): Promise<void> {
  await client.send('/fuzz', { method: 'PUT', body: { mappings } })
  const lines = Array.from({ length: documents }, (_, at) => [
    { index: { _id: String(at) } },
    {
      '@timestamp': new Date(Date.UTC(2026, 10, 21, 0, at)).toISOString(),
      message: `Failed password for user ${at % 7}`,
      host: { name: `web-${at % 3}`, ip: `10.0.0.${at}` },
      status: 200 + (at % 3) * 100,
      load: at / 10,
      ok: at % 2 === 0,
      tags: ['a', `t${at % 4}`],
      parts: [{ name: 'x', n: at }],
      place: { lat: at, lon: -at },
    },
  ]).flat()
  const body = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
  const headers = { 'content-type': 'application/x-ndjson' }
  await client.send('/fuzz/_bulk', { method: 'POST', body, headers })
}

function residentMb(): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${search.pid()}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1024)
}

/** What is wrong with the answer to a request; undefined when search kept its word: an answer in time, and no fault of its own. */
async function faultOf({ method, path, contentType, body }: MalformedRequest): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${answerMsMax} ms`), answerMsMax)
  })
  const headers = contentType === '' ? {} : { 'content-type': contentType }
  const answered = client.send(path, { method, body, headers }).then(
    ({ status, text }) =>
      status >= 500 && status !== 501 && !asElasticsearch.test(text) ? `${status} ${text.slice(0, 400)}` : undefined,
    (thrown: unknown) => String(thrown),
  )
  try {
    return await Promise.race([answered, late])
  } finally {
    clearTimeout(timer)
  }
}

it('answers the requests that malformed ones are made of', async () => {
  for (const { method, path, body, lines } of seeds) {
    const ndjson = lines && `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
    const headers = lines ? { 'content-type': 'application/x-ndjson' } : {}
    const given = ndjson ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)))
    const type = body === undefined ? headers : { 'content-type': 'application/json' }
    const answer = await client.send(path, { method, headers: type, ...(given === undefined ? {} : { body: given }) })
    expect(answer.status < 300 ? '' : `${method} ${path} ${JSON.stringify(body)}: ${answer.text.slice(0, 400)}`).toBe(
      '',
    )
  }
})

it(
  `answers ${requests} malformed requests without a fault of its own`,
  async () => {
    const random = randomOf(seed)
    const faults: string[] = []
    const beforeMb = residentMb()
    const startedMs = Date.now()
    for (let at = 0; at < skipped; at += 1) malformedRequest(random)
    let sent = skipped
    // As it goes: a run that is ended early has shown something, too.
    const report = () => {
      if (reportFile === undefined) return
      const seconds = Math.round((Date.now() - startedMs) / 1000)
      const figures = { seed, skipped, sent, seconds, faults, beforeMb, nowMb: residentMb() }
      writeFileSync(reportFile, JSON.stringify(figures, null, 1))
    }
    const work = async () => {
      while (sent < skipped + requests && faults.length < faultsMax) {
        sent += 1
        const number = sent
        const request = malformedRequest(random)
        const fault = await faultOf(request)
        if (fault !== undefined)
          faults.push(
            `${number}: ${request.method} ${request.path} ${request.body.toString('utf8').slice(0, 600)}\n  ${fault}`,
          )
        if (number % 500 === 0) {
          await prepare()
          report()
        }
      }
    }
    await Promise.all(Array.from({ length: clients }, work))
    expect(faults, search.log().slice(-4_000)).toEqual([])
    report()
    // It lives, and goes on as before.
    expect((await client.send('/_cluster/health')).status).toBe(200)
    expect(search.log()).not.toContain('BUG:')
  },
  300_000 + requests * 100,
)
