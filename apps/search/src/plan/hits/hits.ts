import { isAppError } from '@logstack/errors'
import { illegalArgument } from '../../refusals/refuse.ts'
import { columnsOf } from '../../sql/predicate-to-sql.ts'
import { ident, join, num, type Sql, sql } from '../../sql/sql.ts'
import { timeBounds } from '../../sql/time-pruning.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { columnLookup, hasManyTimes, type Leaf, leafRows } from '../leaves/leaves.ts'
import type { PlanRead } from '../leaves/plan-read.ts'
import { scoreLeaf } from '../leaves/score-leaf.ts'
import { afterValues, arrivalKey, compareRows, orderBy, orderKey, scoreKey } from '../order/order.ts'
import type { OrderKey, SortValue } from '../order/order-key.ts'
import { amongFirst, firstSequences, numbered } from '../order/sequences.ts'
import { areBest, bestRows } from '../pruning/best-rows.ts'
import { beginsAt, FirstOfAll, fewAtOnce } from '../pruning/first-of-all.ts'
import { firstRows, isArrival } from '../pruning/first-rows.ts'
import { firstIsBest, withFirstFound } from '../pruning/found-rows.ts'
import { collapseValue } from './collapse-field.ts'
import type { Explanation } from './explain.ts'
import type { Hit } from './hit.ts'
import { hitCells, readHits } from './hit-rows.ts'
import type { HitsRequest, LeafOrder } from './hits-request.ts'
import { refuseMixedKinds, refuseMixedUnsigned } from './mixed-orders.ts'
import { namedCells } from './named-clauses.ts'

/** What scripts and fields may ask of a hit beside its source. Its versions must have been read. */
export function metadataOf({ id, index, seqNo, version }: Hit) {
  if (seqNo === undefined || version === undefined) throw new Error('BUG: versions of a hit that were not read')
  return { _id: id, _index: index.name, _seq_no: seqNo, _version: version }
}

/** The hits in order, and how their sort values are shown. */
export interface FoundHits {
  readonly hits: readonly Hit[]
  /** Inner hits as JSON. */
  readonly inner?: ReadonlyMap<Hit, string>
  readonly explanations?: ReadonlyMap<Hit, Explanation>
  /** The keys of a hit's leaf, one a criterion. */
  keysOf(hit: Hit): readonly OrderKey[]
}

/** Reads the first hits of all leaves in the order of the request. */
export async function findHits(
  services: PlanServices,
  leaves: readonly Leaf[],
  request: HitsRequest,
  read: PlanRead,
): Promise<FoundHits> {
  const orders = await Promise.all(
    leaves.map(async (leaf): Promise<LeafOrder> => {
      const lookup = columnLookup(services, leaf)
      const score = request.count === 0 ? 1 : await scoreLeaf(services, leaf, read)
      const sorted = request.sort.map((criterion) => orderKey(criterion, leaf.context, lookup, score))
      // Without a sort the best score comes first; a scroll's cursor has it, too.
      const best = request.sort.length === 0 && leaf.score ? [scoreKey(true, score)] : []
      const named = request.count === 0 ? [] : await namedCells(services, leaf, lookup, read)
      const keys = [...sorted, ...best, arrivalKey(false)]
      const first = request.after === undefined && request.cursor === undefined && request.collapse === undefined
      const rows = first ? withFirstFound(leaf, keys, score, request.count) : leaf
      return { leaf, rows, lookup, score, named, keys }
    }),
  )
  refuseMixedUnsigned(orders, request)
  const byLeaf = new Map(orders.map(({ leaf, keys }) => [leaf, keys]))
  const keysOf = (hit: Hit) => (byLeaf.get(hit.leaf) ?? []).slice(0, request.sort.length)
  if (request.count === 0) return { hits: [], keysOf }
  const first = firstOfAll(orders, request)
  const beginsOf = ({ leaf }: LeafOrder) =>
    first && beginsAt(first.order, services.documents.contents.bounds(leaf.table))
  const inTurn = first ? first.inTurn(orders, beginsOf) : orders
  const found = await fewAtOnce(inTurn, async (order) =>
    first?.isBeyond(beginsOf(order)) ? [] : readLeaf({ services, order, request, read, first }),
  )
  refuseMixedKinds(
    inTurn.filter((_, at) => (found[at]?.length ?? 0) > 0),
    request,
  )
  const hits = merged(found, inTurn, request)
  const last = new Map(hits.map(({ leaf, values }) => [leaf, Number(values.at(-1))]))
  request.ahead?.shown(last, hits.at(-1)?.values ?? request.cursor)
  return { hits, keysOf }
}

/** The first hits of those of all leaves. */
function merged(found: readonly Hit[][], [order]: readonly LeafOrder[], request: HitsRequest): readonly Hit[] {
  const [first = []] = found
  if (found.length <= 1 || !order) return first
  const all = found.flat().sort((a, b) => compareRows(order.keys, a.values, b.values))
  return (request.collapse === undefined ? all : firstOfEach(all)).slice(0, request.count)
}

/** The first hit of every group. */
function firstOfEach(hits: readonly Hit[]): Hit[] {
  const groups = new Set<string>()
  return hits.filter(({ group }) => !groups.has(group) && groups.add(group))
}

/** Which rows are read, of which leaf. */
interface LeafRead {
  readonly services: PlanServices
  readonly order: LeafOrder
  readonly request: HitsRequest
  readonly read: PlanRead
  /** What is known of the first hits of all leaves, where these have one order. */
  readonly first?: FirstOfAll | undefined
  /** Whether rows are read by their numbers. */
  readonly areNumbered?: boolean
}

/** What the leaves of a search know of each other's rows, where one column orders all of them. */
function firstOfAll(orders: readonly LeafOrder[], request: HitsRequest): FirstOfAll | undefined {
  const { count, sort, collapse, ahead } = request
  // A scroll's leaves know their own pages.
  if (orders.length === 1 || collapse !== undefined || ahead !== undefined) return undefined
  const [criterion] = sort
  if (criterion) {
    const times = orders.map((order) => timeOrder(order, request))
    // Milliseconds and nanoseconds stand beside each other as the numbers that they are.
    const isOfOneKind = times.every((time) => time && time.keys.length === times[0]?.keys.length)
    return isOfOneKind ? new FirstOfAll({ column: '_time', descending: criterion.descending }, count) : undefined
  }
  const [{ score } = { score: undefined }] = orders
  const isArrivalAlone = typeof score === 'number' && orders.every((order) => order.score === score)
  return isArrivalAlone ? new FirstOfAll({ column: '_seq', descending: false }, count) : undefined
}

async function readLeaf(wanted: LeafRead): Promise<Hit[]> {
  const { order, request, first } = wanted
  const time = timeOrder(order, request)
  const among = first?.condition()
  const hits = among ? await readAmong(wanted, time, among) : await readAlone(wanted, time)
  first?.found(hits.flatMap(({ values }) => numberOf(values, time, order) ?? []))
  return hits
}

/** By what all leaves are ordered; undefined of a document without a time. */
function numberOf(values: readonly SortValue[], time: TimeOrder | undefined, { keys }: LeafOrder): number | undefined {
  if (!time) return Number(values.at(-1))
  const ms = time.keys.length === keys.length ? values[0] : msOf(values[0])
  return ms === null || ms === undefined ? undefined : Number(ms)
}

/** The rows of a leaf that may be among the first of all leaves. */
function readAmong(wanted: LeafRead, time: TimeOrder | undefined, among: Sql): Promise<Hit[]> {
  if (!time) return readRows(wanted, wanted.order.keys, [among])
  return readInTime({ ...wanted, order: time.order }, time.keys, [sql`isNotNull(${time.column})`, among])
}

async function readAlone(wanted: LeafRead, time: TimeOrder | undefined): Promise<Hit[]> {
  const { order, request } = wanted
  if (!time) return readBest(wanted)
  const hits = await readFirst({ ...wanted, order: time.order }, time.keys, [sql`isNotNull(${time.column})`])
  if (hits.length >= request.count || asksForTime(order.leaf)) return hits
  // Fewer than asked for: documents without a time may follow.
  const untimed = await readRows(wanted, order.keys, [sql`isNull(${time.column})`])
  const all = [...hits, ...untimed]
  return (request.collapse === undefined ? all : firstOfEach(all)).slice(0, request.count)
}

/** Whether what a leaf finds has a time: its query is bound by one. */
function asksForTime({ predicate }: Leaf): boolean {
  const { from, to } = timeBounds(predicate)
  return Number.isFinite(from) || Number.isFinite(to)
}

/** Looks among the rows that are likely to score most, and among all of them where others could score as much. */
async function readBest(wanted: LeafRead): Promise<Hit[]> {
  const { services, order, request, read } = wanted
  const { leaf, keys } = order
  const isFirst = request.collapse === undefined && givenValues(keys, request) === undefined
  const known = bestRows(services)
  const look =
    isFirst && firstIsBest(keys, order.score) ? await known.look(services, leaf, request.count, read) : undefined
  if (look) {
    const hits = await readRows(wanted, keys, [look.condition])
    const last = hits[request.count - 1]
    if (last && areBest(look, last.score)) return hits
    known.failed(leaf, request.count)
  }
  return readFirst(wanted, keys, [])
}

/** Looks where the first rows are likely to be, and everywhere when there are fewer. */
async function readFirst(wanted: LeafRead, orderKeys: readonly OrderKey[], extra: readonly Sql[]): Promise<Hit[]> {
  const { services, order, request } = wanted
  const { leaf, keys } = order
  const { count, collapse } = request
  const known = firstRows(services)
  const given = givenValues(keys, request)
  const ordered = (values: readonly SortValue[]) =>
    orderKeys.length === keys.length ? values : [msOf(values[0]), ...values]
  const rows = { leaf, keys: orderKeys, count, after: given && ordered(given), collapse }
  const narrow = known.condition(services, rows)
  const near = narrow && (await readRows(wanted, orderKeys, [...extra, narrow]))
  const inTime = orderKeys[0]?.sql.text === ident('_time').text && collapse === undefined
  const others = inTime ? readInTime : isNumbered(wanted) ? readNumbered : readRows
  const hits = near && near.length >= count ? near : await others(wanted, orderKeys, extra)
  const values = hits.map((hit) => ordered(hit.values))
  known.found(rows, near !== undefined && near.length < count, values)
  return hits
}

/**
 * The engine stops at the first rows of an order only where that is the order of the table alone. So one row more than asked for is read by time, and the
 * rest of the order is made here; where the last two are of one time others of that time may belong before them, and are looked for by it.
 */
async function readInTime(wanted: LeafRead, orderKeys: readonly OrderKey[], extra: readonly Sql[]): Promise<Hit[]> {
  const { request, order } = wanted
  const { count } = request
  const [byTime] = orderKeys
  if (!byTime) throw new Error('BUG: an order without a key')
  const oneMore = { ...wanted, request: { ...request, count: count + 1 } }
  const found = await readRows(oneMore, orderKeys, extra, [byTime])
  found.sort((a, b) => compareRows(order.keys, a.values, b.values))
  const [last, next] = [found[count - 1], found[count]]
  if (!last || !next) return found
  const timeOf = ({ values: [time] }: Hit) => (orderKeys.length === order.keys.length ? time : msOf(time))
  const time = timeOf(last)
  if (time !== timeOf(next) || time === null || time === undefined) return found.slice(0, count)
  const bound = byTime.descending ? sql`_time >= ${num(Number(time))}` : sql`_time <= ${num(Number(time))}`
  return readRows(wanted, orderKeys, [...extra, bound])
}

/** In fewer rows the engine reads what it does not show of too few. */
const numberedMin = 200

/** Whether it is dear to have the engine carry whole rows through the order: it reads the sources of more of them than it shows. */
function isNumbered({ order: { leaf }, request }: LeafRead): boolean {
  const { count, collapse, ahead } = request
  if (collapse !== undefined || leaf.found !== undefined) return false
  return ahead !== undefined || (count >= numberedMin && (leaf.condition === undefined || leaf.part !== undefined))
}

/** The first rows of an order by their numbers, which are looked for beforehand, and of a scroll for several pages at once. */
async function readNumbered(wanted: LeafRead, orderKeys: readonly OrderKey[], extra: readonly Sql[]): Promise<Hit[]> {
  const { request, order } = wanted
  const { ahead, count } = request
  const known = ahead?.next(order.leaf, request.cursor, count)
  const sequences = known ?? (await lookFor(wanted, orderKeys, extra))
  const [ordering] = orderKeys.filter(({ constant }) => constant !== true)
  const inRange = ordering !== undefined && isArrival(ordering)
  const those = { ...wanted, areNumbered: true }
  const hits = sequences.length === 0 ? [] : await readRows(those, orderKeys, [...extra, numbered(sequences, inRange)])
  if (hits.length >= sequences.length) return hits
  // Retention took some of them away.
  ahead?.forget()
  return readRows(wanted, orderKeys, extra)
}

async function lookFor(wanted: LeafRead, orderKeys: readonly OrderKey[], extra: readonly Sql[]): Promise<Float64Array> {
  const { services, order, request, read } = wanted
  const { ahead, count } = request
  const limit = ahead?.reach(count) ?? count
  const { from, where } = leafRows(services, order.rows)
  const conditions = [where, ...extra, ...afterCondition(order.keys, orderKeys, request)]
  const found = await firstSequences(services, { from, where: join(conditions, ' AND '), orderKeys, limit }, read)
  ahead?.found(order.leaf, found, found.length < limit)
  return found.subarray(0, count)
}

/** `_time` of a row by its nanoseconds, which are another key behind it. */
function msOf(nanoseconds: SortValue | undefined): SortValue {
  if (nanoseconds === undefined || nanoseconds === null) return null
  const isExact = typeof nanoseconds === 'bigint' || Number.isSafeInteger(nanoseconds)
  // What a client gave to go on from may be any number.
  return isExact ? Number(BigInt(nanoseconds) / 1_000_000n) : Math.trunc(Number(nanoseconds) / 1e6)
}

function givenValue(key: OrderKey | undefined, value: unknown, field: string): SortValue {
  try {
    return key?.given(value) ?? null
  } catch (thrown) {
    if (!isAppError(thrown) || thrown.code !== 'number_format_exception') throw thrown
    throw illegalArgument(`Failed to parse search_after value for field [${field}].`, thrown)
  }
}

/** The values of the hit to go on from. */
function givenValues(
  keys: readonly OrderKey[],
  { after, cursor, sort }: HitsRequest,
): readonly SortValue[] | undefined {
  return cursor ?? after?.map((value, at) => givenValue(keys[at], value, sort[at]?.field ?? ''))
}

/** A leaf in the order of time: by which keys the engine orders it, where the time is, and how its hits are read. */
interface TimeOrder {
  readonly keys: readonly OrderKey[]
  readonly column: Sql
  readonly order: LeafOrder
}

/**
 * The table lies in the order of `_time`, which is `@timestamp` where a document has one. A sort by `@timestamp` that puts missing values last
 * may therefore read in that order, among documents that have one.
 */
function timeOrder(order: LeafOrder, { sort }: HitsRequest): TimeOrder | undefined {
  const { keys, lookup, leaf } = order
  const [criterion] = sort
  const [key] = keys
  if (
    !criterion ||
    !key ||
    criterion.field !== '@timestamp' ||
    criterion.missing !== '_last' ||
    hasManyTimes(lookup, leaf)
  )
    return undefined
  const field = leaf.context.field('@timestamp')
  if (field?.valueType !== 'date' && field?.valueType !== 'date_nanos') return undefined
  const columns = columnsOf({ path: field.path, type: field.valueType }, lookup)
  if (!columns || field.path !== '@timestamp') return undefined
  const byTime: OrderKey = { ...key, sql: ident('_time') }
  const others = keys.slice(1)
  if (field.valueType === 'date_nanos') return { keys: [byTime, ...keys], column: columns.one, order }
  // The values are those of the column that is ordered by: another one is a granule more for each hit that lies apart (ADR 0007).
  const shown: OrderKey = { ...key, column: ident('_time') }
  return { keys: [byTime, ...others], column: columns.one, order: { ...order, keys: [shown, ...others] } }
}

/** The first rows of an order, or of its first keys alone (`by`). */
async function readRows(
  wanted: LeafRead,
  orderKeys: readonly OrderKey[],
  extra: readonly Sql[],
  by: readonly OrderKey[] = orderKeys,
): Promise<Hit[]> {
  const { services, order, request, read } = wanted
  const { leaf, rows, keys } = order
  const { from, where } = leafRows(services, rows)
  const conditions = [where, ...extra, ...afterCondition(keys, orderKeys, request)]
  const grouped = request.collapse ?? request.shownValue
  const group = grouped === undefined ? undefined : collapseValue(services, leaf, grouped)
  const columns = hitCells(order, request, group)
  const isCollapsed = request.collapse !== undefined
  const all = join(conditions, ' AND ')
  const first = {
    from,
    where: all,
    orderKeys: by,
    limit: request.count,
    ...(isCollapsed && group ? { each: group } : {}),
  }
  const wholly = isReadTwice(wanted, by) ? amongFirst(first) : all
  const statement = sql`SELECT ${join(columns, ', ')} FROM ${from} WHERE ${wholly} ORDER BY ${orderBy(by)}${isCollapsed ? sql` LIMIT 1 BY grp` : sql``} LIMIT ${num(request.count)}`
  const bytes = await services.engine.bytes(statement, 'RowBinary', read)
  return readHits(bytes, order, request)
}

/**
 * Whether the engine would read more whole rows than it shows. It reads those alone that are shown, but for a table with deletions that lie beside its
 * parts; the rows of all in the order of time it reads one after the other.
 */
function isReadTwice({ services, order, request, areNumbered }: LeafRead, [first]: readonly OrderKey[]): boolean {
  const { leaf } = order
  if (areNumbered === true || leaf.found !== undefined) return false
  // Of the rows of a group all but one would be read in vain.
  if (request.collapse !== undefined) return true
  if (!services.documents.patches.isPatched(leaf.table)) return false
  return leaf.predicate.op !== 'all' || first?.sql.text !== ident('_time').text
}

function afterCondition(keys: readonly OrderKey[], orderKeys: readonly OrderKey[], request: HitsRequest): Sql[] {
  const values = givenValues(keys, request)
  if (!values) return []
  const [first] = orderKeys
  const bound = values[0]
  const pruned =
    first?.sql.text === ident('_time').text &&
    (typeof bound === 'number' || typeof bound === 'bigint') &&
    orderKeys.length === keys.length
      ? [first.descending ? sql`_time <= ${num(bound)}` : sql`_time >= ${num(bound)}`]
      : []
  return [...pruned, afterValues(keys, values)]
}
