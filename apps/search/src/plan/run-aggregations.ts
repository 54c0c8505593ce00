import { AppError, searchErrors } from '@logstack/errors'
import { bucketsMax, tooManyBuckets } from '../dsl/bucket-limit.ts'
import type {
  AggregationNode,
  Background,
  BucketPlan,
  FoundBucket,
  JsonObject,
  KeyPart,
  MetricPlan,
} from '../dsl/define-aggregation.ts'
import { withParentPipelines, withSiblingPipelines } from '../dsl/pipelines/run-pipelines.ts'
import type { ReadOptions } from '../engine/engine.ts'
import { ident, join, num, type Sql, sql, str } from '../sql/sql.ts'
import { deepOrderCell } from './filtered-source.ts'
import type { Leaf, PlanServices } from './leaves.ts'
import { nestedRows, reverseRows } from './nested-rows.ts'
import type { PlannedRows } from './row-source.ts'

/** What runs a tree of aggregations. */
export interface AggregationRun {
  readonly services: { readonly engine: Pick<PlanServices['engine'], 'rows'> }
  readonly source: PlannedRows
  readonly leaves: readonly Leaf[]
  /** All documents the caller may see, whatever the query. */
  everything(): PlannedRows
  readonly typedKeys: boolean
  /** `search.max_buckets`. */
  readonly bucketsMax: number
  readonly read: ReadOptions
}

interface MetricNode {
  readonly node: AggregationNode
  readonly plan: MetricPlan
}

interface BucketNode {
  readonly node: AggregationNode
  readonly plan: BucketPlan
  readonly level: number
  readonly source: PlannedRows
  readonly metrics: readonly MetricNode[]
  readonly buckets: readonly BucketNode[]
}

interface RawBucket {
  /** The keys of all levels down to this one. */
  readonly path: readonly unknown[]
  readonly key: readonly unknown[]
  readonly count: number
  readonly total: number
  readonly cells: readonly unknown[]
}

/** The buckets of one node by the text of their parent's keys. */
type Found = ReadonlyMap<string, readonly RawBucket[]>
interface Results {
  readonly found: Map<BucketNode, Found>
  readonly backgrounds: Map<BucketNode, Omit<Background, 'parentDocuments'>>
}

/**
 * Runs aggregations: the metrics of the top in one statement, and one statement for every bucket aggregation, which groups by its own key and
 * those of the levels above it. Levels below one that keeps only its top buckets wait for these; all others run side by side.
 */
export async function runAggregations(nodes: readonly AggregationNode[], run: AggregationRun): Promise<JsonObject> {
  const { metrics, buckets } = await planLevel(nodes, run, run.source, 0)
  const results: Results = { found: new Map(), backgrounds: new Map() }
  const [cells, documents] = await Promise.all([
    topMetrics(metrics, run),
    buckets.some(({ plan }) => plan.background) ? countRows(run.source, run) : 0,
    ...buckets.map((bucket) => runBucket(bucket, [], undefined, run, results)),
  ])
  const counted = { buckets: 0 }
  return renderLevel({ metrics, buckets }, nodes, { path: [], cells, count: documents }, run, results, counted)
}

async function planLevel(
  nodes: readonly AggregationNode[],
  run: AggregationRun,
  source: PlannedRows,
  level: number,
): Promise<Pick<BucketNode, 'metrics' | 'buckets'>> {
  const metrics: MetricNode[] = []
  const buckets: BucketNode[] = []
  for (const node of nodes) {
    const planned = node.aggregation.plan(source, await prepared(node, source, run), node.name)
    if (planned.kind === 'pipeline') continue
    if (planned.kind === 'metric') metrics.push({ node, plan: planned.plan })
    else {
      const own = rowsOf(planned.plan, source, level, run)
      const below = await planLevel(node.children, run, own, level + 1)
      buckets.push({ node, plan: planned.plan, level, source: own, ...below })
    }
  }
  return { metrics, buckets }
}

function rowsOf(
  { ofEverything, rows }: BucketPlan,
  source: PlannedRows,
  level: number,
  run: AggregationRun,
): PlannedRows {
  if (ofEverything) return run.everything()
  if (rows === undefined) return source
  return rows === 'documents' ? reverseRows(source) : nestedRows(source, run.leaves, rows.path, level)
}

/** The cells a plan must know first; they are asked for among the rows as projected until then. */
async function prepared(node: AggregationNode, source: PlannedRows, run: AggregationRun): Promise<readonly unknown[]> {
  const cells = node.aggregation.prepare?.(source) ?? []
  return cells.length === 0 ? [] : ((await selectRow(cells, source, run)) ?? [])
}

async function selectRow(cells: readonly Sql[], source: PlannedRows, run: AggregationRun) {
  const [row] = await run.services.engine.rows(sql`SELECT ${join(cells, ', ')} FROM (${source.select()})`, run.read)
  return row
}

async function countRows(source: PlannedRows, run: AggregationRun): Promise<number> {
  return Number((await selectRow([sql`count()`], source, run))?.[0] ?? 0)
}

async function topMetrics(metrics: readonly MetricNode[], run: AggregationRun): Promise<readonly unknown[]> {
  const cells = metrics.flatMap(({ plan }) => plan.cells)
  if (cells.length === 0) return []
  return (await selectRow(cells, run.source, run)) ?? []
}

/** Runs one bucket node and then those below it; `chain` are the levels above, `selected` their buckets when only some were kept. */
async function runBucket(
  node: BucketNode,
  chain: readonly BucketNode[],
  selected: readonly RawBucket[] | undefined,
  run: AggregationRun,
  results: Results,
): Promise<void> {
  const below = [...chain, node]
  const waits = node.plan.size !== undefined || node.plan.chosen !== undefined || selected !== undefined
  const own = selected?.length === 0 ? Promise.resolve([]) : findBuckets(node, chain, selected, run)
  const descend = (kept: readonly RawBucket[] | undefined) =>
    Promise.all(node.buckets.map((child) => runBucket(child, below, kept, run, results)))
  // Both are awaited at once: a level below that fails while this one still runs must not be left unheard.
  const [found] = await Promise.all([own, ...(waits ? [] : [descend(undefined)])])
  const depth = chain.reduce((keys, level) => keys + level.plan.parts.length, 0)
  const byParent = new Map<string, RawBucket[]>()
  for (const bucket of found) {
    const parent = JSON.stringify(bucket.path.slice(0, depth))
    const siblings = byParent.get(parent)
    if (siblings) siblings.push(bucket)
    else byParent.set(parent, [bucket])
  }
  results.found.set(node, byParent)
  const [background] = await Promise.all([findBackground(node, found, run), ...(waits ? [descend(found)] : [])])
  if (background) results.backgrounds.set(node, background)
}

const keyName = (level: number, part: number) => ident(`k${level}_${part}`)

async function findBuckets(
  node: BucketNode,
  chain: readonly BucketNode[],
  selected: readonly RawBucket[] | undefined,
  run: AggregationRun,
): Promise<RawBucket[]> {
  const levels = [...chain, node]
  const keys = levels.flatMap(({ plan, level }) => plan.parts.map((_, part) => keyName(level, part)))
  const parents = keys.slice(0, keys.length - node.plan.parts.length)
  const own = keys.slice(parents.length)
  const cells = node.metrics.flatMap(({ plan }) => plan.cells)
  const total = node.plan.wantsTotal
    ? sql`sum(count()) OVER (${parents.length === 0 ? sql`` : sql`PARTITION BY ${join(parents, ', ')}`})`
    : sql`0`
  const named = cells.map((cell, at) => sql`${cell} AS ${ident(`m${at}`)}`)
  const columns = { count: sql`n`, keys: own, metric: (path: string) => metricColumn(node, path, named) }
  const conditions = [
    ...levels.flatMap(({ plan }) => (plan.where ? [plan.where] : [])),
    ...levels.flatMap(({ plan, level }) =>
      plan.parts.flatMap((part, at) => (part.many || part.keepsNull ? [] : [sql`isNotNull(${keyName(level, at)})`])),
    ),
    ...selectedOnly(chain, parents, selected),
  ]
  const after = node.plan.after?.(columns)
  if (after) conditions.push(after)
  const least = node.plan.minimumCount ?? 0
  const chosen = node.plan.chosen?.(columns) ?? (least > 1 ? sql`n >= ${num(least)}` : undefined)
  const order = node.plan.order?.(columns) ?? own.map((key) => sql`${key} ASC`)
  const statement = sql`SELECT ${join([...keys, sql`count() AS n`, total, ...named], ', ')} FROM ${expanded(levels, node.source)}${
    conditions.length === 0 ? sql`` : sql` WHERE ${join(conditions, ' AND ')}`
  }${keys.length === 0 ? sql` HAVING count() > 0` : sql` GROUP BY ${join(keys, ', ')}`}${chosen === undefined ? sql`` : sql` HAVING ${chosen}`}${order.length === 0 ? sql`` : sql` ORDER BY ${join(order, ', ')}`}${limits(node, parents)}`
  const rows = await run.services.engine.rows(statement, run.read)
  if (rows.length > bucketsMax) throw tooManyBuckets()
  return rows.map((row) => ({
    path: row.slice(0, keys.length),
    key: row.slice(parents.length, keys.length),
    count: Number(row[keys.length]),
    total: Number(row[keys.length + 1]),
    cells: row.slice(keys.length + 2),
  }))
}

/** Documents by key among everything the caller may see. */
async function findBackground(
  node: BucketNode,
  found: readonly RawBucket[],
  run: AggregationRun,
): Promise<Omit<Background, 'parentDocuments'> | undefined> {
  const { background } = node.plan
  if (background === undefined) return undefined
  const source = run.everything()
  const planned = node.node.aggregation.plan(source)
  if (planned.kind !== 'bucket') return undefined
  const { backgroundParts: parts = planned.plan.parts } = planned.plan
  const level: BucketNode = { ...node, plan: { ...planned.plan, parts }, level: 0, source }
  const keys = parts.map((_, part) => keyName(0, part))
  const present = parts.flatMap((part, at) => (part.many ? [] : [sql`isNotNull(${keyName(0, at)})`]))
  const wanted =
    background === 'found'
      ? selectedOnly(
          [level],
          keys,
          found.map((bucket) => ({ ...bucket, path: bucket.key })),
        )
      : []
  const conditions = [...present, ...wanted]
  const where = conditions.length === 0 ? sql`` : sql` WHERE ${join(conditions, ' AND ')}`
  const names = join(keys, ', ')
  const [rows, documents] = await Promise.all([
    background === 'found' && found.length === 0
      ? []
      : run.services.engine.rows(
          sql`SELECT ${names}, count() FROM ${expanded([level], source)}${where} GROUP BY ${names} ORDER BY ${names} LIMIT ${num(bucketsMax + 1)}`,
          run.read,
        ),
    countRows(run.everything(), run),
  ])
  if (rows.length > bucketsMax) throw tooManyBuckets()
  return { keys: rows.map((row) => ({ key: row.slice(0, keys.length), count: Number(row[keys.length]) })), documents }
}

function limits(node: BucketNode, parents: readonly Sql[]): Sql {
  const most = sql` LIMIT ${num(bucketsMax + 1)}`
  const { size } = node.plan
  if (size === undefined) return most
  return parents.length === 0
    ? sql` LIMIT ${num(Math.min(size, bucketsMax + 1))}`
    : sql` LIMIT ${num(size)} BY ${join(parents, ', ')}${most}`
}

/** The rows with the keys of all levels as columns; a key of many values multiplies them, one layer each, so that equal lists stay apart. */
function expanded(levels: readonly BucketNode[], source: PlannedRows): Sql {
  let from = sql`(${source.select()})`
  let single: Sql[] = []
  const keys: Sql[] = []
  const conditions: Sql[] = []
  for (const { plan, level, source: rows } of levels) {
    if (plan.where) conditions.push(plan.where)
    if (plan.rows === 'documents' && 'sequence' in rows) {
      const keyed = single.length === 0 ? from : sql`(SELECT *, ${join(single, ', ')} FROM ${from})`
      const where = conditions.length === 0 ? sql`` : sql` WHERE ${join(conditions, ' AND ')}`
      from = sql`(SELECT * FROM ${keyed}${where} LIMIT 1 BY ${join([...keys, rows.sequence as Sql], ', ')})`
      single = []
    }
    for (const [at, part] of plan.parts.entries()) {
      keys.push(keyName(level, at))
      const name = keyName(level, at)
      if (part.many) from = sql`(SELECT *, arrayJoin(${distinct(part)}) AS ${name} FROM ${from})`
      else single.push(sql`${part.sql} AS ${name}`)
    }
  }
  return single.length === 0 ? from : sql`(SELECT *, ${join(single, ', ')} FROM ${from})`
}

function distinct(part: KeyPart): Sql {
  const values = sql`arrayDistinct(${part.sql})`
  return part.keepsNull ? sql`if(empty(${values}), [NULL], ${values})` : values
}

function selectedOnly(
  chain: readonly BucketNode[],
  parents: readonly Sql[],
  selected: readonly RawBucket[] | undefined,
): Sql[] {
  if (!selected || parents.length === 0) return []
  const types = chain.flatMap(({ plan }) => plan.parts.map((part) => part.type))
  const nullable = parents.map((_, at) => selected.some(({ path }) => path[at] === null))
  const compared = parents.flatMap((key, at) =>
    nullable[at] ? [sql`isNull(${key})`, sql`ifNull(${key}, ${placeholder(types[at])})`] : [key],
  )
  const kept = selected.map(({ path }) =>
    parents.flatMap((_, at) => {
      const literal = path[at] === null ? placeholder(types[at]) : keyLiteral(path[at], types[at])
      return nullable[at] ? [num(path[at] === null ? 1 : 0), literal] : [literal]
    }),
  )
  // IN reads every literal as the type of its key; has() would compare a small whole number's own type with the key's and find nothing.
  return [
    sql`(${join(compared, ', ')}) IN (${join(
      kept.map((literals) => (literals.length === 1 ? join(literals, ', ') : sql`(${join(literals, ', ')})`)),
      ', ',
    )})`,
  ]
}

/** What stands for null beside a mark that says so, since IN finds no null. */
function placeholder(type: KeyPart['type'] | undefined): Sql {
  if (type === 'ip') return sql`toIPv6('::')`
  if (type === 'boolean') return sql`false`
  return type === 'string' || type === 'text' ? str('') : num(0)
}

function keyLiteral(key: unknown, type: KeyPart['type'] | undefined): Sql {
  if (type === 'ip') return sql`toIPv6(${str(String(key))})`
  if (typeof key === 'boolean') return key ? sql`true` : sql`false`
  if (type === 'string' || type === 'text') return str(String(key))
  if (type === 'double') return num(Number(key))
  return num(typeof key === 'number' ? key : BigInt(String(key)))
}

/** The column that an order path leads to: `name`, `name.property` or `name[50]` of a metric right below, or one below single buckets, which is added to `named`. */
function metricColumn(node: BucketNode, path: string, named: Sql[]): Sql {
  const parts = /^([^.>[\]]+)(?:\.([^>[\]]+)|\[([^\]]+)\])?$/u.exec(path)
  let cell = 0
  for (const { node: metric, plan } of node.metrics) {
    if (parts && metric.name === parts[1]) {
      const at = plan.orderCell(parts[2] ?? parts[3])
      if (at !== undefined) return ident(`m${cell + at}`)
    }
    cell += plan.cells.length
  }
  const deep = deepOrderCell(node.buckets, path, node.source)
  if (deep) {
    const name = ident(`m${named.length}`)
    named.push(sql`${deep} AS ${name}`)
    return name
  }
  throw new AppError(
    searchErrors.aggregation_execution_exception,
    `Invalid aggregation order path [${path}]. The provided aggregation [${parts?.[1] ?? path}] either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets.`,
  )
}

function renderLevel(
  level: Pick<BucketNode, 'metrics' | 'buckets'>,
  nodes: readonly AggregationNode[],
  parentBucket: Pick<RawBucket, 'path' | 'cells' | 'count'>,
  run: AggregationRun,
  results: Results,
  counted: { buckets: number },
): JsonObject {
  const answer: JsonObject = {}
  let at = 0
  for (const { node, plan } of level.metrics) {
    const own = parentBucket.cells.slice(at, at + plan.cells.length)
    at += plan.cells.length
    answer[answerName(node, run)] = withMeta(node, plan.render(own))
  }
  const naming = { nameOf: (node: AggregationNode) => answerName(node, run), withMeta }
  const parent = JSON.stringify(parentBucket.path)
  for (const child of level.buckets) {
    const found = (results.found.get(child)?.get(parent) ?? []).map(
      (bucket): FoundBucket => ({
        ...bucket,
        body: renderLevel(child, child.node.children, bucket, run, results, counted),
      }),
    )
    const none = { path: ['no such bucket'], cells: [], count: 0 }
    const empty = () => renderLevel(child, child.node.children, none, run, results, counted)
    const background = results.backgrounds.get(child)
    const answered = child.plan.render(
      found,
      empty,
      background && { ...background, parentDocuments: parentBucket.count },
    )
    const rendered = withParentPipelines(child.node.children, answered, naming)
    counted.buckets += bucketsIn(rendered)
    if (counted.buckets > run.bucketsMax) throw tooManyBuckets(run.bucketsMax)
    answer[answerName(child.node, run)] = withMeta(child.node, rendered)
  }
  return withSiblingPipelines(nodes, answer, naming)
}

function bucketsIn(rendered: JsonObject): number {
  const { buckets } = rendered
  if (Array.isArray(buckets)) return buckets.length
  return buckets !== null && typeof buckets === 'object' ? Object.keys(buckets).length : 1
}

function answerName(node: AggregationNode, run: AggregationRun): string {
  return run.typedKeys ? `${node.aggregation.typedName(run.source)}#${node.name}` : node.name
}

function withMeta(node: AggregationNode, answer: JsonObject): JsonObject {
  return node.meta === undefined ? answer : { meta: node.meta, ...answer }
}
