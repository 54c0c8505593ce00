// Measures what many dynamically mapped text fields cost: `node tools/run-ts.mjs bench/wild-events.ts [documents]`. The corpus has 220 string fields in
// 20 kinds of events, as Windows logs have. Prints Markdown tables of processor time, which other programs disturb least. ADR 0002 quotes it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseBulk } from '../apps/search/src/documents/bulk-parser.ts'
import { StagedRows } from '../apps/search/src/documents/staged-rows.ts'
import type { WriteOperation } from '../apps/search/src/documents/write-operation.ts'
import type { Segment } from '../apps/search/src/engine/engine.ts'
import { columnType, createTableSql } from '../apps/search/src/engine/table-layout.ts'
import type { TableMeta } from '../apps/search/src/model/table.ts'
import { ident, join as joinSql, num, type Sql, sql, str, typeName } from '../apps/search/src/sql/sql.ts'
import { tokensOf } from '../apps/search/src/sql/text-tokens.ts'
import { openServices } from '../apps/search/src/testing/search-services.ts'

const count = Number(process.argv[2] ?? 20_000)
const batch = 2_000
const directory = mkdtempSync(join(tmpdir(), 'logstack-wild-'))
const [kinds, ownFields, sharedFields] = [20, 10, 20]

let state = 42
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return (state >>> 8) % below
}

/** Short values of few kinds, as most fields of such events have; one in five is a longer text. */
function textOf(field: number): string {
  if (field % 5 === 0)
    return `C:\\Program Files\\Vendor ${random(40)}\\service_${random(300)}.exe -k group${random(9)} --id ${random(1e6)}`
  return field % 3 === 0 ? `0x${random(1e6).toString(16)}` : `value-${field}-${random(30)}`
}

function eventOf(at: number): string {
  const kind = random(kinds)
  const data: Record<string, string> = {}
  for (let own = 0; own < ownFields; own += 1) data[`Kind${kind}Field${own}`] = textOf(own)
  for (let shared = 0; shared < sharedFields; shared += 1) if (random(3) > 0) data[`Shared${shared}`] = textOf(shared)
  return JSON.stringify({
    '@timestamp': new Date(1_700_000_000_000 + at * 37).toISOString(),
    message: `The event ${kind} was logged by service ${random(300)} for account user_${random(400)}. ${Object.values(data).slice(0, 8).join(' ')} attempt ${at}`,
    winlog: { event_id: 4600 + kind, event_data: data },
  })
}

function bulkBody(from: number, to: number, index: string): Buffer {
  const lines: string[] = []
  for (let at = from; at < to; at += 1) lines.push(`{"create":{"_index":"${index}"}}`, eventOf(at))
  return Buffer.from(`${lines.join('\n')}\n`)
}

/** Processor time of this process while `work` runs, in milliseconds. */
async function worked(work: () => Promise<unknown>): Promise<number> {
  const from = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000
}

async function median(times: number, work: () => Promise<unknown>): Promise<number> {
  const all: number[] = []
  for (let at = 0; at < times; at += 1) all.push(await worked(work))
  return all.sort((a, b) => a - b)[times >> 1] ?? 0
}

const compileScript = (): never => {
  throw new Error('BUG: the corpus has no scripts')
}
const parse = (body: Buffer): WriteOperation[] => parseBulk(body, { compileScript })
const mib = (bytes: unknown): string => `${(Number(bytes) / 1024 ** 2).toFixed(1)} MiB`
const ms = (time: number): string => `${time < 20 ? time.toFixed(1) : Math.round(time)} ms`

const open = await openServices(directory)
const { engine, catalogue, documents } = open

async function measureWrites(): Promise<void> {
  const first = parse(bulkBody(0, batch, 'wild'))
  const firstMs = await worked(() => documents.apply(first))
  const later = Array.from({ length: count / batch }, (_, at) => parse(bulkBody(at * batch, (at + 1) * batch, 'wild')))
  let from = performance.now()
  const laterMs = await worked(async () => {
    for (const operations of later) await documents.apply(operations)
  })
  from = performance.now() - from
  console.log(
    `\nThrough the write path: first ${batch} events ${ms(firstMs)} of a processor, later ones ${ms(laterMs / later.length)} (${ms(from / later.length)} by the clock); resident ${mib(process.memoryUsage().rss)}`,
  )
}

/** The corpus as segments of `batch` rows, made once for all layouts. */
function segmentsOf(table: TableMeta): Omit<Segment, 'table'>[] {
  const index = catalogue.index('wild')
  if (index === undefined) throw new Error('BUG: the index was not made')
  return Array.from({ length: count / batch }, (_, at) => {
    const staged = new StagedRows(table.id, 0)
    for (const [row, { source }] of parse(bulkBody(at * batch, (at + 1) * batch, 'wild')).entries()) {
      const bytes = source ?? Buffer.alloc(0)
      const mapped = catalogue.mapDocument(index, index.mapping, JSON.parse(String(bytes)))
      const seq = at * batch + row
      const ids = { seq, seqNo: seq, version: 1, index: index.id, table: table.id, slot: 0, id: `id-${seq}` }
      staged.add({ ...ids, timeMs: mapped.timeMs ?? 0, routing: '', ignored: [], values: mapped.values, source: bytes })
    }
    const { columns, pieces } = staged.encode(table)
    const file = `corpus-${at}.segment`
    writeFileSync(join(directory, file), Buffer.concat(pieces))
    return { directory, files: [file], columns, format: 'Native', rows: batch }
  })
}

interface Layout {
  readonly name: string
  /** Which text columns get a token index. */
  readonly indexed: 'all' | 'message' | 'none'
  readonly wideBytesMin: number
  /** Leaves out the keyword beside each text. */
  readonly shared?: boolean
}

const layouts: readonly Layout[] = [
  { name: 'index on every text, wide above 10 MiB', indexed: 'all', wideBytesMin: 10 * 1024 ** 2 },
  { name: 'index on every text, compact', indexed: 'all', wideBytesMin: 1024 ** 3 },
  { name: 'index on message, wide', indexed: 'message', wideBytesMin: 1 },
  { name: 'index on message, wide above 10 MiB', indexed: 'message', wideBytesMin: 10 * 1024 ** 2 },
  { name: 'index on message, wide above 256 MiB', indexed: 'message', wideBytesMin: 256 * 1024 ** 2 },
  { name: 'no index, wide above 256 MiB', indexed: 'none', wideBytesMin: 256 * 1024 ** 2 },
  {
    name: 'index on message, wide above 256 MiB, no keyword columns',
    indexed: 'message',
    wideBytesMin: 256 * 1024 ** 2,
    shared: true,
  },
]

async function measureLayouts(meta: TableMeta): Promise<void> {
  const segments = segmentsOf(meta)
  console.log(
    `\n| layout (${count} events, ${batch} a segment, ${meta.columns.length} columns) | insert of ${batch} | merge of all | on disk | tokens, message | tokens, other | terms | count |`,
  )
  console.log('|---|---|---|---|---|---|---|---|')
  for (const [at, layout] of layouts.entries()) {
    const table = `layout_${at}`
    await makeTable(table, meta, layout)
    const names = new Set(
      meta.columns.filter(({ type }) => layout.shared !== true || type !== 'string').map(({ name }) => name),
    )
    const kept = layout.shared === true ? segments.map((segment) => segment) : segments
    const insertMs = await worked(async () => {
      for (const segment of kept) await insert(table, segment, layout.shared === true ? names : undefined)
    })
    const mergeMs = await worked(() => engine.execute(sql`OPTIMIZE TABLE ${ident(table)} FINAL`))
    console.log(
      `| ${layout.name} | ${ms(insertMs / segments.length)} | ${ms(mergeMs)} | ${await readings(table, meta, layout)} |`,
    )
    await engine.execute(sql`DROP TABLE ${ident(table)}`)
  }
}

async function insert(
  table: string,
  segment: Omit<Segment, 'table'>,
  names: ReadonlySet<string> | undefined,
): Promise<void> {
  if (names === undefined) return engine.insertSegment({ ...segment, table })
  const kept = segment.columns.filter(({ name }) => name.startsWith('_') || names.has(name))
  const list = joinSql(
    kept.map(({ name }) => ident(name)),
    ', ',
  )
  const structure = segment.columns.map(({ name, type }) => `${ident(name).text} ${type}`).join(', ')
  await engine.execute(
    sql`INSERT INTO ${ident(table)} (${list}) SELECT ${list} FROM file(${str(join(segment.directory, ...segment.files))}, ${str(segment.format)}, ${str(structure)})`,
  )
}

async function makeTable(table: string, meta: TableMeta, { indexed, wideBytesMin, shared }: Layout): Promise<void> {
  await engine.execute(createTableSql(table))
  await engine.execute(sql`ALTER TABLE ${ident(table)} MODIFY SETTING min_bytes_for_wide_part = ${num(wideBytesMin)}`)
  const changes = meta.columns.flatMap(({ name, type, path }): Sql[] => {
    const stored = columnType(type, false)
    if (stored === undefined || (shared === true && type === 'string')) return []
    const add = sql`ADD COLUMN ${ident(name)} ${typeName(stored)}`
    if (type !== 'text' || indexed === 'none' || (indexed === 'message' && path !== 'message')) return [add]
    return [add, sql`ADD INDEX ${ident(`tokens_${name}`)} ${tokensOf(ident(name))} TYPE text(tokenizer = 'array')`]
  })
  await engine.execute(sql`ALTER TABLE ${ident(table)} ${joinSql(changes, ', ')}`)
}

async function readings(table: string, meta: TableMeta, { shared }: Layout): Promise<string> {
  const name = ident(table)
  const column = (path: string, type: string): Sql =>
    ident(meta.columns.find((one) => one.path === path && one.type === type)?.name ?? '')
  const [[bytes] = []] = await engine.rows(
    sql`SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = ${str(table)}`,
  )
  const tokens = (path: string, token: string): Sql =>
    sql`SELECT count() FROM ${name} WHERE hasAll(${tokensOf(column(path, 'text'))}, [${str(token)}])`
  const other = 'winlog.event_data.Shared5'
  const keyword =
    shared === true
      ? sql`if(length(${column(other, 'text')}) <= 256, ${column(other, 'text')}, NULL)`
      : column(`${other}.keyword`, 'string')
  const terms = sql`SELECT ${keyword}, count() FROM ${name} GROUP BY 1 ORDER BY 2 DESC LIMIT 10`
  const times: string[] = []
  for (const query of [
    tokens('message', 'user_77'),
    tokens(other, 'service_77'),
    terms,
    sql`SELECT countIf(_time > 5) FROM ${name}`,
  ]) {
    await engine.rows(query)
    times.push(ms(await median(7, () => engine.rows(query))))
  }
  return [mib(bytes), ...times].join(' | ')
}

await measureWrites()
const wild = catalogue.index('wild')
if (wild !== undefined) await measureLayouts(catalogue.table(wild.table))
await open.close()
rmSync(directory, { recursive: true, force: true })
