// Measures the write path and the layout of tables: `node tools/run-ts.mjs bench/write-path.ts [documents]`. Prints Markdown tables; figures of one
// run are comparable with each other, not with those of another machine or hour. ADR 0002 and 0003 quote it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseBulk } from '../apps/search/src/documents/bulk-parser.ts'
import type { Documents } from '../apps/search/src/documents/documents.ts'
import { StagedRows } from '../apps/search/src/documents/staged-rows.ts'
import type { WriteOperation } from '../apps/search/src/documents/write-operation.ts'
import type { Engine, Segment } from '../apps/search/src/engine/engine.ts'
import { addColumnsSql, createTableSql } from '../apps/search/src/engine/table-layout.ts'
import type { TableMeta } from '../apps/search/src/model/table.ts'
import { ident, join as joinSql, type Sql, sql, str } from '../apps/search/src/sql/sql.ts'
import { tokensOf } from '../apps/search/src/sql/text-tokens.ts'
import { openServices } from '../apps/search/src/testing/search-services.ts'

const count = Number(process.argv[2] ?? 200_000)
const batch = 20_000
const directory = mkdtempSync(join(tmpdir(), 'logstack-bench-'))

let state = 42
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state % below
}

function eventOf(at: number): string {
  const [host, user, port] = [random(50), random(400), 1024 + random(60_000)]
  const address = `10.${random(4)}.${random(256)}.${random(256)}`
  return JSON.stringify({
    '@timestamp': new Date(1_700_000_000_000 + at * 37).toISOString(),
    message: `An account failed to log on. Subject: user_${user} Logon Type: ${random(11)} Source Network Address: ${address} Source Port: ${port} Status 0xC000006D process svc_${random(90)}.exe attempt ${at}`,
    event: { code: 4600 + random(90), action: `action-${random(20)}`, provider: 'Microsoft-Windows-Security-Auditing' },
    host: { name: `host-${host}.example.org`, ip: `192.168.${host}.7` },
    user: { name: `user_${user}`, id: `S-1-5-21-${random(1e9)}` },
    source: { ip: address, port },
    process: { pid: random(40_000), executable: `C:\\Windows\\System32\\svc_${random(90)}.exe` },
    log: { level: random(10) === 0 ? 'error' : 'information' },
  })
}

function bulkBody(from: number, to: number, index: string): Buffer {
  const lines: string[] = []
  for (let at = from; at < to; at += 1) lines.push(`{"create":{"_index":"${index}"}}`, eventOf(at))
  return Buffer.from(`${lines.join('\n')}\n`)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** Processor time of this process while `work` runs, in milliseconds: what is comparable on a machine that does other things too. */
async function worked(work: () => Promise<unknown>): Promise<number> {
  const from = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000
}

async function median(times: number, work: () => Promise<unknown>): Promise<number> {
  const all: number[] = []
  for (let at = 0; at < times; at += 1) all.push(await timed(work))
  return all.sort((a, b) => a - b)[times >> 1] ?? 0
}

const idOf = (at: number): string => `id-${Math.imul(at, 2_654_435_761)}`

const compileScript = (): never => {
  throw new Error('BUG: the corpus has no scripts')
}

const parse = (body: Buffer): WriteOperation[] => parseBulk(body, { compileScript })
const rate = (ms: number, documents = count): string => `${Math.round(documents / ms).toLocaleString('en')} k/s`
const mib = (bytes: unknown): string => `${(Number(bytes) / 1024 ** 2).toFixed(1)} MiB`

const open = await openServices(directory)
const { engine, catalogue, documents } = open

/** The rows of the corpus as segments of `batch` rows, made once for all layouts. */
async function segmentsOf(table: TableMeta): Promise<Omit<Segment, 'table'>[]> {
  const index = catalogue.index('warm')
  if (index === undefined) throw new Error('BUG: the index was not made')
  const segments: Omit<Segment, 'table'>[] = []
  for (let from = 0; from < count; from += batch) {
    const staged = new StagedRows(table.id, 0)
    for (const [at, { source }] of parse(bulkBody(from, from + batch, 'warm')).entries()) {
      const bytes = source ?? Buffer.alloc(0)
      const mapped = catalogue.mapDocument(index, index.mapping, JSON.parse(String(bytes)))
      const seq = from + at
      const ids = { seq, seqNo: seq, version: 1, index: index.id, table: table.id, slot: 0, id: idOf(seq) }
      staged.add({ ...ids, timeMs: mapped.timeMs ?? 0, routing: '', ignored: [], values: mapped.values, source: bytes })
    }
    const { columns, pieces } = staged.encode(table)
    const file = `corpus-${from}.segment`
    writeFileSync(join(directory, file), Buffer.concat(pieces))
    segments.push({ directory, files: [file], columns, format: 'Native', rows: batch })
  }
  return segments
}

interface Layout {
  readonly name: string
  readonly change: readonly ((table: Sql) => Sql)[]
}

async function measureLayouts(meta: TableMeta): Promise<void> {
  const text = meta.columns.find(({ path, type }) => path === 'message' && type === 'text')?.name ?? ''
  const keywords = meta.columns.filter(({ type }) => type === 'string')
  const layouts: Layout[] = [
    { name: 'as it is', change: [] },
    { name: 'no token index', change: [(table) => sql`ALTER TABLE ${table} DROP INDEX ${ident(`tokens_${text}`)}`] },
    { name: 'no bloom filter on _id', change: [(table) => sql`ALTER TABLE ${table} DROP INDEX by_id`] },
    {
      name: 'keywords as plain strings',
      change: keywords.map(
        ({ name }) =>
          (table: Sql) =>
            sql`ALTER TABLE ${table} MODIFY COLUMN ${ident(name)} Nullable(String)`,
      ),
    },
    {
      name: 'inserts not flushed',
      change: [(table) => sql`ALTER TABLE ${table} MODIFY SETTING fsync_after_insert = 0, fsync_part_directory = 0`],
    },
  ]
  const segments = await segmentsOf(meta)
  console.log(
    `\n| layout (${count} events, ${batch} a segment) | insert, a processor second | on disk | of that indexes | token count | 1,000 random ids | terms |`,
  )
  console.log('|---|---|---|---|---|---|---|')
  for (const [at, { name, change }] of layouts.entries()) {
    const table = `layout_${at}`
    await engine.execute(createTableSql(table))
    const columns = addColumnsSql(
      table,
      meta.columns.map((column) => ({ name: column.name, type: column.type, many: false, indexed: true })),
    )
    if (columns) await engine.execute(columns)
    for (const statement of change) await engine.execute(statement(ident(table)))
    const insertMs = await worked(async () => {
      for (const segment of segments) await engine.insertSegment({ ...segment, table })
    })
    await engine.execute(sql`OPTIMIZE TABLE ${ident(table)} FINAL`)
    console.log(`| ${name} | ${rate(insertMs)} | ${await readings(table, text, keywords[0]?.name ?? '')} |`)
  }
}

async function readings(table: string, text: string, keyword: string): Promise<string> {
  const name = ident(table)
  const [[bytes] = []] = await engine.rows(
    sql`SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = ${str(table)}`,
  )
  const [[indexes] = []] = await engine.rows(
    sql`SELECT sum(data_compressed_bytes) FROM system.data_skipping_indices WHERE table = ${str(table)}`,
  )
  const token = sql`SELECT count() FROM ${name} WHERE hasAllTokens(${tokensOf(ident(text))}, ['user_77'])`
  const ids = joinSql(
    Array.from({ length: 1_000 }, () => str(idOf(random(count)))),
    ', ',
  )
  const lookup = sql`SELECT _id, _version FROM ${name} WHERE _id IN (${ids})`
  const terms = sql`SELECT ${ident(keyword)}, count() FROM ${name} GROUP BY 1 ORDER BY 2 DESC LIMIT 10`
  const times: string[] = []
  for (const query of [token, lookup, terms]) {
    await engine.rows(query)
    times.push(`${(await median(7, () => engine.rows(query))).toFixed(1)} ms`)
  }
  return [mib(bytes), mib(indexes), ...times].join(' | ')
}

async function measureBulk(under: Documents): Promise<void> {
  const bodies: Buffer[] = []
  for (let from = 0; from < count; from += 5_000) bodies.push(bulkBody(from, from + 5_000, 'bulk'))
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0)
  const send = (body: Buffer): Promise<unknown> => under.apply(parse(body))
  let next = 0
  const client = async (): Promise<void> => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) await send(body)
  }
  let busyMs = 0
  const ms = await timed(async () => {
    busyMs = await worked(() => Promise.all([client(), client(), client(), client()]))
  })
  const megabytes = (of: number): string => (bytes / 1000 / of).toFixed(1)
  console.log(
    `\n4 clients, bulks of 5,000: ${rate(ms)} documents, ${megabytes(ms)} MB/s; a processor second: ${rate(busyMs)}, ${megabytes(busyMs)} MB`,
  )
}

async function measureSmallBulks(under: Documents, with_: Engine): Promise<void> {
  const bodies = Array.from({ length: 100 }, (_, at) => bulkBody(at * 10, at * 10 + 10, 'small'))
  const latencies: number[] = []
  const end = performance.now() + 5_000
  const client = async (body: Buffer): Promise<void> => {
    while (performance.now() < end) latencies.push(await timed(() => under.apply(parse(body))))
  }
  const ms = await timed(() => Promise.all(bodies.map(client)))
  latencies.sort((a, b) => a - b)
  const at = (share: number): string => (latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(0)
  const index = catalogue.index('small')
  const name = index === undefined ? '' : catalogue.table(index.table).name
  const [[parts] = []] = await with_.rows(sql`SELECT count() FROM system.parts WHERE active AND table = ${str(name)}`)
  const documentsRate = rate(ms, latencies.length * 10)
  console.log(
    `\n100 clients, bulks of 10: ${documentsRate} documents, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${parts} active parts at the end`,
  )
}

await documents.apply(parse(bulkBody(0, 1_000, 'warm')))
const warm = catalogue.index('warm')
if (warm !== undefined) await measureLayouts(catalogue.table(warm.table))
await measureBulk(documents)
await measureSmallBulks(documents, engine)
const oneBody = bulkBody(0, 1, 'single')
let singleMs = 0
const busyMs = await worked(async () => {
  singleMs = await median(41, () => documents.apply(parse(oneBody)))
})
console.log(
  `\none client, one document: p50 ${singleMs.toFixed(1)} ms, ${(busyMs / 41).toFixed(1)} ms of a processor each`,
)
await open.close()
rmSync(directory, { recursive: true, force: true })
