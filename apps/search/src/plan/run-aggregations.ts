import { AppError, searchErrors } from '@logstack/errors'
import { tooManyBuckets } from '../dsl/bucket-limit.ts'
import type {
  AggregationNode,
  Background,
  BucketPlan,
  FoundBucket,
  JsonObject,
  MetricPlan,
} from '../dsl/define-aggregation.ts'
import { hasPipelines, withParentPipelines, withSiblingPipelines } from '../dsl/pipelines/run-pipelines.ts'
import { illegalArgument } from '../dsl/shapes/refuse.ts'
import { ident, join, num, type Sql, sql } from '../sql/sql.ts'
import { type BucketLevel, expanded, inBuckets, keyName, selectedOnly, withKeys } from './bucket-rows.ts'
import { deepOrderCell } from './filtered-source.ts'
import { type BucketFold, foldDocuments, type ReadPage } from './fold-documents.ts'
import type { Leaf, PlanServices } from './leaves.ts'
import { nestedRows, reverseRows } from './nested-rows.ts'
import { type PlanRead, turnsOf } from './plan-read.ts'
import type { PlannedRows } from './row-source.ts'
import type { BucketHits, ShownHits } from './show-hits.ts'

/** What runs a tree of aggregations. */
export interface AggregationRun {
  readonly services: { readonly engine: Pick<PlanServices['engine'], 'rows'> }
  readonly source: PlannedRows
  readonly leaves: readonly Leaf[]
  readonly readScripted: ReadPage
  readonly showHits: (shown: readonly BucketHits[]) => Promise<readonly ShownHits[]>
  /** All documents the caller may see, whatever the query. */
  everything(): PlannedRows
  readonly typedKeys: boolean
  /** `search.max_buckets`. */
  readonly bucketsMax: number
  readonly read: PlanRead
}

interface MetricNode {
  readonly node: AggregationNode
  readonly plan: MetricPlan
}

interface BucketNode extends BucketLevel {
  readonly node: AggregationNode
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
  readonly cells: unknown[]
}

/** What buckets hold that have no metrics: histograms have thousands. */
const noCells: unknown[] = []

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
  const { metrics, buckets } = await planLevel(nodes, run, run.source, [])
  const results: Results = { found: new Map(), backgrounds: new Map() }
  const [cells, documents] = await Promise.all([
    topMetrics(metrics, run),
    buckets.some(({ plan }) => plan.background) ? countRows(run.source, run) : 0,
    ...buckets.map((bucket) => runBucket(bucket, [], undefined, run, results)),
  ])
  const counted = { buckets: 0 }
  const whole = { path: [], cells, count: documents }
  const levels = [{ metrics, source: run.source, found: [whole] }, ...foundBuckets(buckets, results)]
  await foldMetrics(levels, run)
  await showMetrics(levels, run)
  const turns = turnsOf(run.read)
  if (hasPipelines(nodes)) await turns.rest()
  // The scripts of all pipelines have the time of one: nobody else has a turn between them.
  return turns.run(() => renderLevel({ metrics, buckets }, nodes, whole, run, results, counted))
}

/** Metrics of one level, and the buckets that hold their cells. */
interface MetricCells {
  readonly metrics: readonly MetricNode[]
  readonly source: PlannedRows
  readonly found: readonly Pick<RawBucket, 'cells'>[]
}

function foundBuckets(buckets: readonly BucketNode[], results: Results): MetricCells[] {
  return buckets.flatMap((node) => [
    { metrics: node.metrics, source: node.source, found: [...(results.found.get(node)?.values() ?? [])].flat() },
    ...foundBuckets(node.buckets, results),
  ])
}

/** Gives metrics of whole documents these, and puts what they make of them where the places of the documents were. */
async function foldMetrics(levels: readonly MetricCells[], run: AggregationRun): Promise<void> {
  const turns = turnsOf(run.read)
  const folds: (BucketFold & { readonly cells: unknown[]; readonly at: number })[] = []
  for (const { metrics, source, found } of levels) {
    let at = 0
    for (const { plan } of metrics) {
      if (plan.fold)
        for (const { cells } of found)
          folds.push({ leaves: source.leaves, places: cells[at], fold: await turns.take(plan.fold), cells, at })
      at += plan.cells.length
    }
  }
  if (folds.length === 0) return
  await foldDocuments(folds, run.readScripted, turns)
  for (const { cells, at, fold } of folds) cells[at] = await turns.take(() => fold.answer())
}

/** Puts the documents that metrics show where their places were. */
async function showMetrics(levels: readonly MetricCells[], run: AggregationRun): Promise<void> {
  const shown: (BucketHits & { readonly cells: unknown[]; readonly at: number })[] = []
  for (const { metrics, source, found } of levels) {
    let at = 0
    for (const { plan } of metrics) {
      const { hits: body } = plan
      if (body)
        for (const { cells } of found)
          if (cells.length > 0) shown.push({ leaves: source.leaves, rows: cells[at + 1], body, cells, at: at + 1 })
      at += plan.cells.length
    }
  }
  if (shown.length === 0) return
  const answers = await run.showHits(shown)
  for (const [number, { cells, at }] of shown.entries()) cells[at] = answers[number]
}

async function planLevel(
  nodes: readonly AggregationNode[],
  run: AggregationRun,
  source: PlannedRows,
  chain: readonly BucketLevel[],
): Promise<Pick<BucketNode, 'metrics' | 'buckets'>> {
  const level = chain.length
  const metrics: MetricNode[] = []
  const buckets: BucketNode[] = []
  for (const node of nodes) {
    const planned = node.aggregation.plan(source, await prepared(node, source, chain, run), node.name)
    if (planned.kind === 'pipeline') continue
    if (planned.kind === 'metric') metrics.push({ node, plan: planned.plan })
    else {
      const { plan } = planned
      if (plan.belowOneBucket && chain.some((above) => above.plan.parts.length > 0))
        throw illegalArgument(
          `[${node.aggregation.typeName}] cannot be nested inside an aggregation that collects more than a single bucket.`,
        )
      const own = rowsOf(plan, source, level, run)
      const below = await planLevel(node.children, run, own, [...chain, { plan, level, source: own }])
      buckets.push({ node, plan, level, source: own, ...below })
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

/** What a plan must know first of the rows that its parents hold. */
async function prepared(
  { aggregation }: AggregationNode,
  source: PlannedRows,
  chain: readonly BucketLevel[],
  run: AggregationRun,
): Promise<readonly unknown[]> {
  const { engine } = run.services
  if (aggregation.look)
    return engine.rows(
      aggregation.look(source, () => withKeys(chain, source)),
      run.read,
    )
  const cells = aggregation.prepare?.(source) ?? []
  if (cells.length === 0) return []
  const [row = []] = await engine.rows(sql`SELECT ${join(cells, ', ')} FROM ${withKeys(chain, source)}`, run.read)
  return row
}

async function selectRow(cells: readonly Sql[], source: PlannedRows, run: AggregationRun) {
  const [row] = await run.services.engine.rows(sql`SELECT ${join(cells, ', ')} FROM (${source.select()})`, run.read)
  return row
}

async function countRows(source: PlannedRows, run: AggregationRun): Promise<number> {
  return Number((await selectRow([sql`count()`], source, run))?.[0] ?? 0)
}

async function topMetrics(metrics: readonly MetricNode[], run: AggregationRun): Promise<unknown[]> {
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
  const byParent = new Map<string, RawBucket[]>(depth === 0 ? [[JSON.stringify([]), found]] : [])
  for (const bucket of depth === 0 ? [] : found) {
    const parent = JSON.stringify(bucket.path.slice(0, depth))
    const siblings = byParent.get(parent)
    if (siblings) siblings.push(bucket)
    else byParent.set(parent, [bucket])
  }
  results.found.set(node, byParent)
  const [background] = await Promise.all([findBackground(node, found, run), ...(waits ? [descend(found)] : [])])
  if (background) results.backgrounds.set(node, background)
}

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
  const conditions = [...inBuckets(levels), ...selectedOnly(chain, parents, selected)]
  const after = node.plan.after?.(columns)
  if (after) conditions.push(after)
  const least = node.plan.minimumCount ?? 0
  const chosen = node.plan.chosen?.(columns) ?? (least > 1 ? sql`n >= ${num(least)}` : undefined)
  const order = node.plan.order?.(columns) ?? own.map((key) => sql`${key} ASC`)
  const statement = sql`SELECT ${join([...keys, sql`count() AS n`, total, ...named], ', ')} FROM ${expanded(levels, node.source)}${
    conditions.length === 0 ? sql`` : sql` WHERE ${join(conditions, ' AND ')}`
  }${keys.length === 0 ? sql` HAVING count() > 0` : sql` GROUP BY ${join(keys, ', ')}`}${chosen === undefined ? sql`` : sql` HAVING ${chosen}`}${order.length === 0 ? sql`` : sql` ORDER BY ${join(order, ', ')}`}${limits(node, parents, run.bucketsMax)}`
  const rows = await run.services.engine.rows(statement, run.read)
  if (rows.length > run.bucketsMax) throw tooManyBuckets(run.bucketsMax)
  return rows.map((row) => {
    const path = row.slice(0, keys.length)
    return {
      path,
      key: parents.length === 0 ? path : path.slice(parents.length),
      count: Number(row[keys.length]),
      total: Number(row[keys.length + 1]),
      cells: named.length === 0 ? noCells : row.slice(keys.length + 2),
    }
  })
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
          sql`SELECT ${names}, count() FROM ${expanded([level], source)}${where} GROUP BY ${names} ORDER BY ${names} LIMIT ${num(run.bucketsMax + 1)}`,
          run.read,
        ),
    countRows(run.everything(), run),
  ])
  if (rows.length > run.bucketsMax) throw tooManyBuckets(run.bucketsMax)
  return { keys: rows.map((row) => ({ key: row.slice(0, keys.length), count: Number(row[keys.length]) })), documents }
}

function limits(node: BucketNode, parents: readonly Sql[], bucketsMax: number): Sql {
  const most = sql` LIMIT ${num(bucketsMax + 1)}`
  const { size } = node.plan
  if (size === undefined) return most
  return parents.length === 0
    ? sql` LIMIT ${num(Math.min(size, bucketsMax + 1))}`
    : sql` LIMIT ${num(size)} BY ${join(parents, ', ')}${most}`
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
  if (nodes.length === 0) return answer
  let at = 0
  for (const { node, plan } of level.metrics) {
    const own = parentBucket.cells.slice(at, at + plan.cells.length)
    at += plan.cells.length
    answer[answerName(node, run)] = withMeta(node, plan.render(own))
  }
  const naming = { nameOf: (node: AggregationNode) => answerName(node, run), withMeta }
  const parent = JSON.stringify(parentBucket.path)
  for (const child of level.buckets) {
    const found = (results.found.get(child)?.get(parent) ?? []).map((bucket): FoundBucket => {
      const { key, count, total } = bucket
      return { key, count, total, body: renderLevel(child, child.node.children, bucket, run, results, counted) }
    })
    const none = { path: ['no such bucket'], cells: [], count: 0 }
    const empty = () => renderLevel(child, child.node.children, none, run, results, counted)
    const background = results.backgrounds.get(child)
    const behind = background && { ...background, parentDocuments: parentBucket.count }
    const answered = child.plan.render(found, empty, behind)
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
