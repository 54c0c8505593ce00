import { tooManyBuckets } from '../../dsl/bucket-limit.ts'
import type { AggregationNode, AroundLevel, Background, BucketPlan, FoundBucket } from '../../dsl/define-aggregation.ts'
import { hasPipelines, withParentPipelines, withSiblingPipelines } from '../../dsl/pipelines/run-pipelines.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { join, sql } from '../../sql/sql.ts'
import type { Leaf } from '../leaves/leaves.ts'
import { turnsOf } from '../leaves/plan-read.ts'
import type { BucketNode, BucketRun, MetricNode } from './bucket-node.ts'
import { type BucketLevel, keyName, withKeys } from './bucket-rows.ts'
import {
  countOf,
  countsAbove,
  type FoundBuckets,
  findBackground,
  findBuckets,
  groupsAll,
  type RawBucket,
} from './find-buckets.ts'
import { type BucketFold, foldDocuments, type ReadPage } from './fold-documents.ts'
import { joinedSource } from './joined-sources.ts'
import { isNestedRows, nestedRows, reverseRows } from './nested-rows.ts'
import type { PlannedRows } from './row-source.ts'
import type { BucketHits, ShownHits } from './show-hits.ts'

/** What runs a tree of aggregations. */
export interface AggregationRun extends BucketRun {
  readonly source: PlannedRows
  readonly leaves: readonly Leaf[]
  readonly readScripted: ReadPage
  readonly showHits: (shown: readonly BucketHits[]) => Promise<readonly ShownHits[]>
  readonly typedKeys: boolean
  /** Told how many rows the source has where that comes to light on the way, else `undefined`; once, and as soon as it is known which. */
  tellRows(rows: number | undefined): void
}

/** The buckets of one node by the text of their parent's keys. */
type Found = ReadonlyMap<string, readonly RawBucket[]>
interface Results {
  readonly found: Map<BucketNode, Found>
  readonly backgrounds: Map<BucketNode, Omit<Background, 'parentDocuments'>>
  /** How many rows the search has, of nodes that grouped them all. */
  readonly rows: Map<BucketNode, number | undefined>
}

/**
 * Runs aggregations: the metrics of the top in one statement, and one statement for every bucket aggregation, which groups by its own key and
 * those of the levels above it. Levels below one that keeps only its top buckets wait for these; all others run side by side.
 */
export async function runAggregations(nodes: readonly AggregationNode[], run: AggregationRun): Promise<JsonObject> {
  const { metrics, buckets } = await planLevel(nodes, run, run.source, [])
  const results: Results = { found: new Map(), backgrounds: new Map(), rows: new Map() }
  const counts = whoCounts(metrics, buckets)
  if (typeof counts !== 'object') run.tellRows(counts)
  const [{ cells, rows }, documents] = await Promise.all([
    topMetrics(metrics, run),
    buckets.some(({ plan }) => plan.background) ? countOf(run.source, run) : 0,
    ...buckets.map((bucket) => runBucket(bucket, [], undefined, run, results)),
  ])
  if (typeof counts === 'object') run.tellRows(counts.node === undefined ? rows : results.rows.get(counts.node))
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

/** Who counts the rows of the search: it was done beforehand, a node will do it, the metrics of the top (no node), or nobody. */
function whoCounts(
  metrics: readonly MetricNode[],
  buckets: readonly BucketNode[],
): number | { readonly node: BucketNode | undefined } | undefined {
  const looked = buckets.find(({ plan }) => plan.looked)?.plan.looked
  if (looked) return looked.rows
  if (metrics.some(({ plan }) => plan.cells.length > 0)) return { node: undefined }
  const node = buckets.find((each) => groupsAll(each, []))
  return node && { node }
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
      const objects = isNestedRows(source) ? { objects: source } : {}
      if (body)
        for (const { cells } of found)
          if (cells.length > 0)
            shown.push({ leaves: source.leaves, rows: cells[at + 1], body, ...objects, cells, at: at + 1 })
      at += plan.cells.length
    }
  }
  if (shown.length === 0) return
  const answers = await run.showHits(shown)
  for (const [number, { cells, at }] of shown.entries()) cells[at] = answers[number]
}

interface NamedLevel extends BucketLevel {
  readonly name: string
}

function aroundOf({ name, plan, level }: NamedLevel): AroundLevel {
  return { name, plan, keys: plan.parts.map((_, part) => keyName(level, part)) }
}

async function planLevel(
  nodes: readonly AggregationNode[],
  run: AggregationRun,
  source: PlannedRows,
  chain: readonly NamedLevel[],
): Promise<Pick<BucketNode, 'metrics' | 'buckets'>> {
  const level = chain.length
  const around = chain.map(aroundOf)
  const metrics: MetricNode[] = []
  const buckets: BucketNode[] = []
  for (const node of nodes) {
    const planned = node.aggregation.plan(source, await prepared(node, source, chain, run), node.name, around)
    if (planned.kind === 'pipeline') continue
    if (planned.kind === 'metric') metrics.push({ node, plan: planned.plan, around })
    else {
      const { plan } = planned
      if (plan.belowOneBucket && chain.some((above) => above.plan.parts.length > 0))
        throw illegalArgument(
          `[${node.aggregation.typeName}] cannot be nested inside an aggregation that collects more than a single bucket.`,
        )
      const own = rowsOf(plan, source, level, run)
      const below = await planLevel(node.children, run, own, [...chain, { name: node.name, plan, level, source: own }])
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
  if (rows === 'documents') return reverseRows(source)
  if ('around' in rows) return reverseRows(source, rows.around)
  if ('path' in rows) return nestedRows(source, run.leaves, rows.path, String(level))
  return joinedSource(source, run.everything(`j${level}`), rows)
}

/** What a plan must know first of the rows that its parents hold. */
async function prepared(
  { aggregation, children }: AggregationNode,
  source: PlannedRows,
  chain: readonly BucketLevel[],
  run: AggregationRun,
): Promise<readonly unknown[]> {
  const { engine } = run.services
  const isAlone = chain.length === 0 && children.length === 0
  const look = aggregation.look?.(source, { isAlone, with: (cells) => withKeys(chain, source, cells) })
  if (look) return engine.rows(look, run.read)
  const cells = aggregation.prepare?.(source) ?? []
  if (cells.length === 0) return []
  const rows = withKeys(chain, source, cells)
  const [row = []] = await engine.rows(sql`SELECT ${join(cells, ', ')} FROM ${rows}`, run.read)
  return row
}

/** The cells of the metrics of the top, and how many rows there are. */
async function topMetrics(metrics: readonly MetricNode[], run: AggregationRun) {
  const cells = metrics.flatMap(({ plan }) => plan.cells)
  if (cells.length === 0) return { cells: [], rows: 0 }
  const counted = [...cells, sql`count()`]
  const from = run.source.select(join(counted, ' '))
  const [row = []] = await run.services.engine.rows(sql`SELECT ${join(counted, ', ')} FROM (${from})`, run.read)
  return { cells: row.slice(0, cells.length), rows: Number(row[cells.length] ?? 0) }
}

/**
 * Runs one bucket node and then those below it; `chain` are the levels above, `selected` their buckets when only some were kept. With `folds` it answers what
 * its parent finds, too.
 */
async function runBucket(
  node: BucketNode,
  chain: readonly BucketNode[],
  selected: readonly RawBucket[] | undefined,
  run: AggregationRun,
  results: Results,
  folds = false,
): Promise<FoundBuckets | undefined> {
  const below = [...chain, node]
  const waits = node.plan.size !== undefined || node.plan.chosen !== undefined || selected !== undefined
  // What counts for its own parent has groups of its own to find.
  const counting = waits || folds ? undefined : node.buckets.find((child) => countsAbove(node, child))
  const none = { buckets: [], rows: undefined, above: undefined }
  const own = async () => (counting || selected?.length === 0 ? none : findBuckets(node, chain, selected, run, folds))
  const descend = (kept: readonly RawBucket[] | undefined) =>
    Promise.all(node.buckets.map((child) => runBucket(child, below, kept, run, results, child === counting)))
  // Both are awaited at once: a level below that fails while this one still runs must not be left unheard.
  const [found, counted = []] = await Promise.all([own(), ...(waits ? [] : [descend(undefined)])])
  const { buckets, rows } = counted.find((each) => each !== undefined) ?? found
  results.found.set(node, byParent(buckets, chain))
  results.rows.set(node, rows)
  const [background] = await Promise.all([findBackground(node, buckets, run), ...(waits ? [descend(buckets)] : [])])
  if (background) results.backgrounds.set(node, background)
  return found.above
}

function byParent(buckets: readonly RawBucket[], chain: readonly BucketNode[]): Found {
  const depth = chain.reduce((keys, level) => keys + level.plan.parts.length, 0)
  if (depth === 0) return new Map([[JSON.stringify([]), buckets]])
  const found = new Map<string, RawBucket[]>()
  for (const bucket of buckets) {
    const parent = JSON.stringify(bucket.path.slice(0, depth))
    const siblings = found.get(parent)
    if (siblings) siblings.push(bucket)
    else found.set(parent, [bucket])
  }
  return found
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
    answer[answerName(node, run)] = withMeta(node, plan.render(own, parentBucket.path))
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
