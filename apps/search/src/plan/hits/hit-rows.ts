import { RowBinaryReader } from '../../documents/rowbinary.ts'
import { showsSources } from '../../model/kept-source.ts'
import { permittedSource } from '../../security/visible-source.ts'
import { ident, type Sql, sql } from '../../sql/sql.ts'
import { readDouble } from '../../sql/values.ts'
import { type LeafScore, plainScore, scoreValue } from '../leaves/score-leaf.ts'
import type { OrderKey, SortValue } from '../order/order-key.ts'
import type { Hit } from './hit.ts'
import type { HitsRequest, LeafOrder } from './hits-request.ts'
import { matchedClauses } from './named-clauses.ts'
import { sourceCells } from './source-cells.ts'

// What a statement reads of each hit, and how the hits are made of it.

/** Columns as they are: each function over one costs the engine a twentieth of a light statement. */
const systemCells = (['_index', '_id', '_routing', '_ignored'] as const).map(ident)
const versionCells = (['_seq_no', '_version'] as const).map(ident)

/** What is read of each hit, `group` where hits are collapsed by it, as RowBinary. */
export function hitCells(order: LeafOrder, request: HitsRequest, group: Sql | undefined): readonly Sql[] {
  const { leaf, keys, score } = order
  return [
    ...systemCells,
    ...(showsVersions(order, request) ? versionCells : []),
    ...order.named,
    ...(plainScore(score) === undefined ? [sql`toString(${scoreValue(score)})`] : []),
    ...(group ? [sql`${group} AS grp`] : []),
    ...keys.flatMap((key) => keyCell(key, score)),
    ...(showsSource(order, request) ? sourceCells(leaf.table, leaf.indices).cells : []),
  ]
}

/** The cell of a key, if its value must be read. A missing value is the empty text, any other follows a mark. */
function keyCell({ sql: value, known, plain, column }: OrderKey, score: LeafScore): Sql[] {
  if (known !== undefined || isScore(value, score)) return []
  if (column) return [column]
  return [plain ? value : sql`ifNull(concat('=', toString(${value})), '')`]
}

/** Whether a key is the score itself, which every hit has a cell of: the engine thinks about each mention of it for milliseconds. */
function isScore(key: Sql, score: LeafScore): boolean {
  return typeof score !== 'number' && score.text === key.text
}

/** Objects within a document are cut from its source. */
function showsSource({ leaf }: Pick<LeafOrder, 'leaf'>, { withSource }: Pick<HitsRequest, 'withSource'>): boolean {
  return withSource || leaf.nestedHits.length > 0
}

function showsVersions(
  { leaf }: Pick<LeafOrder, 'leaf'>,
  { withVersions }: Pick<HitsRequest, 'withVersions'>,
): boolean {
  return withVersions || leaf.nestedHits.length > 0
}

/**
 * The hits of an answer of the engine. There are ten thousand of them on a large page: what is made for each is what reading costs, and what the
 * collection of garbage does.
 */
export function readHits(bytes: Buffer, { leaf, keys, score }: LeafOrder, request: HitsRequest): Hit[] {
  const reader = new RowBinaryReader(bytes)
  const byId = new Map(leaf.indices.map((index) => [index.id, index]))
  const withVersions = showsVersions({ leaf }, request)
  const source = showsSource({ leaf }, request) ? sourceCells(leaf.table, leaf.indices) : undefined
  const plain = plainScore(score)
  const same = plain === undefined ? undefined : readDouble(plain)
  const text = (): string => reader.string()
  const isGrouped = (request.collapse ?? request.shownValue) !== undefined
  const hits: Hit[] = []
  while (!reader.ended) {
    const index = byId.get(reader.uint32())
    if (!index) throw new Error('BUG: a hit of an index that was not searched')
    const id = reader.string()
    const routing = reader.string()
    const ignored = readIgnored(reader)
    const seqNo = withVersions ? reader.uint64() : undefined
    const version = withVersions ? reader.uint64() : undefined
    const matched = leaf.named.length === 0 ? [] : matchedClauses(leaf, text)
    const own = same ?? readDouble(reader.string())
    const group = isGrouped ? reader.string() : ''
    const values: SortValue[] = []
    for (const key of keys) values.push(isScore(key.sql, score) ? own : readKey(key, reader))
    const kept = source && permittedSource(leaf.scope, index, source.read(reader), true)
    const shown = showsSources(index) ? kept : undefined
    const about = {
      leaf,
      index,
      id,
      seqNo,
      version,
      routing,
      ignored,
      score: own,
      group,
      matched,
      source: shown,
      kept,
      values,
    }
    hits.push(about)
  }
  return hits
}

function readKey({ known, plain, column, read }: OrderKey, reader: RowBinaryReader): SortValue {
  if (known !== undefined) return read(known)
  if (plain) return reader.uint64()
  if (column) return reader.long()
  return read(unmarked(reader.string()))
}

/** The list of texts in their order as JSON; nothing when it is empty. */
function readIgnored(reader: RowBinaryReader): string {
  const count = reader.length7()
  if (count === 0) return ''
  return JSON.stringify(Array.from({ length: count }, () => reader.string()).sort())
}

/** A value of `keyCell`: the empty text is none. */
export function unmarked(text: string): string | null {
  return text === '' ? null : text.slice(1)
}
