import { AppError, searchErrors } from '@logstack/errors'
import { tooManyBuckets } from '../../dsl/bucket-limit.ts'
import type { Background } from '../../dsl/define-aggregation.ts'
import { illegalArgument, ofReduction } from '../../refusals/refuse.ts'
import { ident, join, nothing, num, type Sql, sql } from '../../sql/sql.ts'
import type { BucketNode, BucketRun } from './bucket-node.ts'
import { expanded, inBuckets, keyName, selectedOnly, standing } from './bucket-rows.ts'
import { deepOrderCell } from './filtered-source.ts'
import { type GroupKey, groupKeys, keyValue } from './group-keys.ts'
import { newestCells, withNewest } from './newest-cells.ts'
import type { PlannedRows } from './row-source.ts'

/** A bucket as its statement found it. */
export interface RawBucket {
  /** The keys of all levels down to this one. */
  readonly path: readonly unknown[]
  readonly key: readonly unknown[]
  readonly count: number
  readonly total: number
  readonly cells: unknown[]
}

/** What buckets hold that have no metrics: histograms have thousands. */
const noCells: unknown[] = []

/** The buckets of a node, and how many rows it grouped where these were all rows of the search. */
export interface FoundBuckets {
  readonly buckets: readonly RawBucket[]
  readonly rows: number | undefined
}

/**
 * Whether the statement of a node at the top groups every row by a single value: then rows without one are a group, too, which is left out afterwards. That
 * is cheaper than a look at each row, and the groups are all rows there are.
 */
export function groupsAll({ plan }: BucketNode, chain: readonly BucketNode[]): boolean {
  const [part] = plan.parts
  const isWhole = !plan.where && !plan.sample && !plan.rows && !plan.ofEverything
  const isChosen = plan.chosen !== undefined || plan.after !== undefined || (plan.minimumCount ?? 0) > 1
  const isSingle = plan.parts.length === 1 && part?.many === false && part.keepsNull !== true
  return chain.length === 0 && isWhole && !isChosen && isSingle
}

/**
 * Whether the statement of a node's child finds what the node's own would: it groups all rows of each of its buckets, those without a value of the child
 * too, so that the counts of the groups make those of the buckets.
 */
export function countsAbove(node: BucketNode, child: BucketNode): boolean {
  const { plan } = node
  const isPlain = !plan.order && !plan.wantsTotal && !plan.background && !plan.looked?.buckets && isUncut(node)
  const below = child.plan
  const isSingle = below.parts.length > 0 && below.parts.every(({ many }) => !many)
  const isWhole = !below.where && !below.wantsTotal && !below.background && isUncut(child)
  return node.metrics.length === 0 && isPlain && isSingle && isWhole
}

/** Whether a node looks at the rows of its parent and keeps all of its buckets. */
function isUncut({ plan }: BucketNode): boolean {
  if (plan.sample || plan.rows || plan.ofEverything) return false
  return !plan.size && !plan.chosen && !plan.after && (plan.minimumCount ?? 0) <= 1
}

/** Runs the statement of a node below `chain`, of whose buckets only those `selected` count, if any are; `folds`: for its parent, too (`countsAbove`). */
export async function findBuckets(
  node: BucketNode,
  chain: readonly BucketNode[],
  selected: readonly RawBucket[] | undefined,
  run: BucketRun,
  folds: boolean,
): Promise<FoundBuckets & { readonly above: FoundBuckets | undefined }> {
  const { looked } = node.plan
  if (looked?.buckets && chain.length === 0 && node.metrics.length === 0) {
    const buckets = looked.buckets.map(({ key, count }) => ({ path: key, key, count, total: 0, cells: noCells }))
    return { buckets, rows: looked.rows, above: undefined }
  }
  const parent = folds ? chain.at(-1) : undefined
  const open = [
    ...(folds || groupsAll(node, chain) ? [node] : []),
    ...(parent && groupsAll(parent, chain.slice(0, -1)) ? [parent] : []),
  ]
  const levels = [...chain, node]
  const keys = await groupKeys(levels, open, node.source)
  const depth = keys.length - node.plan.parts.length
  const [parents, own] = [keys.slice(0, depth), keys.slice(depth)].map((some) => some.map(({ name }) => name)) as [
    Sql[],
    Sql[],
  ]
  const { rows, cells } = await groupedRows({ node, chain, levels, keys, parents, own, selected, open, folds }, run)
  const grouped = rows.map((row): RawBucket => {
    const path = keys.map((key, at) => keyValue(key, row[at]))
    return {
      path,
      key: depth === 0 ? path : path.slice(depth),
      count: Number(row[keys.length]),
      total: Number(row[keys.length + 1]),
      cells: cells === 0 ? noCells : row.slice(keys.length + 2, keys.length + 2 + cells),
    }
  })
  const buckets = limited(withValues(grouped, levels, open), run)
  const all = groupsAll(node, chain) ? allRows(node, grouped, rows) : undefined
  return { buckets, rows: all, above: parent && folded(grouped, chain, parent, open, run) }
}

/** The buckets whose keys have values, where rows without one were grouped, too. */
function withValues(
  grouped: readonly RawBucket[],
  levels: readonly BucketNode[],
  open: readonly BucketNode[],
): readonly RawBucket[] {
  if (open.length === 0) return grouped
  const needed = levels.flatMap((level) => level.plan.parts.map(({ keepsNull }) => open.includes(level) && !keepsNull))
  return grouped.filter(({ path }) => !path.some((value, at) => value === null && needed[at] === true))
}

function limited(buckets: readonly RawBucket[], { bucketsMax }: BucketRun): readonly RawBucket[] {
  if (buckets.length > bucketsMax) throw tooManyBuckets(bucketsMax)
  return buckets
}

/** What the statement of `parent` would have found, of the groups below it, which stand by its keys; `chain` ends with it. */
function folded(
  grouped: readonly RawBucket[],
  chain: readonly BucketNode[],
  parent: BucketNode,
  open: readonly BucketNode[],
  run: BucketRun,
): FoundBuckets {
  const depth = chain.reduce((keys, { plan }) => keys + plan.parts.length, 0)
  const above = new Map<string, RawBucket>()
  for (const { path: whole, count } of grouped) {
    const path = whole.slice(0, depth)
    const text = JSON.stringify(path)
    const key = path.slice(depth - parent.plan.parts.length)
    above.set(text, { path, key, count: count + (above.get(text)?.count ?? 0), total: 0, cells: noCells })
  }
  const buckets = [...above.values()]
  const rows = open.includes(parent) ? buckets.reduce((sum, { count }) => sum + count, 0) : undefined
  return { buckets: limited(withValues(buckets, chain, open), run), rows }
}

/** Of the rows of a statement that groups all rows of the search: how many these are. */
function allRows({ plan }: BucketNode, grouped: readonly RawBucket[], rows: readonly (readonly unknown[])[]): number {
  if (plan.size !== undefined) return Number(rows[0]?.at(-1) ?? 0)
  return grouped.reduce((sum, { count }) => sum + count, 0)
}

/** A level's statement to be: the keys of all levels, and the names of its own and of its parents'. */
interface Grouping {
  readonly node: BucketNode
  readonly chain: readonly BucketNode[]
  readonly levels: readonly BucketNode[]
  readonly keys: readonly GroupKey[]
  readonly parents: readonly Sql[]
  readonly own: readonly Sql[]
  readonly selected: readonly RawBucket[] | undefined
  /** The levels whose rows without a value are groups, too. */
  readonly open: readonly BucketNode[]
  /** Whether its groups are put together to those of its parent, and so stand by the parent's keys first. */
  readonly folds: boolean
}

/** Rows of keys, count, total, so many `cells` of metrics and, of a node that shows some of all groups, how many rows there are. */
async function groupedRows(grouping: Grouping, run: BucketRun) {
  const { node, chain, levels, keys, parents, own, selected, open, folds } = grouping
  const cells = node.metrics.flatMap(({ plan }) => plan.cells)
  const apart = countsApart(grouping)
  const newest = apart ? undefined : newestCells(node)
  const named = cells.map((cell, at) => sql`${newest?.most.has(at) ? sql`[]` : cell} AS ${ident(`m${at}`)}`)
  const ranks = standing(node.plan, own)
  const columns = { count: sql`n`, keys: ranks, metric: (path: string) => metricColumn(node, path, named) }
  const closed = levels.filter((level) => !open.includes(level))
  const above = keys.slice(0, parents.length)
  const conditions = [
    ...inBuckets(closed, keys),
    ...selectedOnly(
      chain,
      above.map(({ compared }) => compared),
      selected,
      above.map(({ numbered }) => numbered),
    ),
  ]
  const ownColumns = keys.slice(parents.length).map(({ column }) => column)
  const after = node.plan.after?.({ ...columns, keys: standing(node.plan, ownColumns) })
  if (after) conditions.push(after)
  const least = node.plan.minimumCount ?? 0
  const chosen = node.plan.chosen?.(columns) ?? (least > 1 ? sql`n >= ${num(least)}` : undefined)
  const nullLast = open.length > 0 && node.plan.size !== undefined ? own.map((key) => sql`isNull(${key}) ASC`) : []
  const order = [
    ...(folds ? parents.map((key) => sql`${key} ASC`) : []),
    ...nullLast,
    ...(node.plan.order?.(columns) ?? ranks.map((key) => sql`${key} ASC`)),
  ]
  const groups = keys.map(({ by }) => by)
  const read = [...named, ...conditions, ...groups]
  const told = nullLast.length === 0 ? [] : [apart ? sql`0` : everyRow]
  const shown = [
    ...keys.map((key) => key.shown),
    sql`count() AS n`,
    apart ? sql`0` : totalOf(grouping),
    ...named,
    ...told,
  ]
  const from = sql`${expanded(levels, node.source, read)}${
    conditions.length === 0 ? nothing : sql` WHERE ${join(conditions, ' AND ')}`
  }`
  const statement = sql`SELECT ${join(shown, ', ')} FROM ${from}${keys.length === 0 ? sql` HAVING count() > 0` : sql` GROUP BY ${join(groups, ', ')}`}${chosen === undefined ? nothing : sql` HAVING ${chosen}`}${order.length === 0 ? nothing : sql` ORDER BY ${join(order, ', ')}`}${limits(node, parents, run.bucketsMax)}`
  const { engine } = run.services
  if (!apart) {
    const rows = await engine.rows(statement, run.read)
    const filled = newest ? await withNewest(rows, newest, { levels, keys, conditions, cells }, run) : rows
    return { rows: filled, cells: named.length }
  }
  const counted = open.length > 0 ? own.map((key) => sql`count(${key})`) : [sql`count()`]
  const totals = sql`SELECT ${join([...counted, sql`count()`], ', ')} FROM ${from}`
  const [found, [[total, all] = []]] = await Promise.all([
    engine.rows(statement, run.read),
    engine.rows(totals, run.read),
  ])
  const rows = found.map((row) => {
    const filled = [...row]
    filled[keys.length + 1] = total
    if (told.length > 0) filled[row.length - 1] = all
    return filled
  })
  return { rows, cells: named.length }
}

/** Whether what all groups hold is counted by a statement of its own: to be summed up beside each group, all of them would be kept. */
function countsApart({ node, chain, own }: Grouping): boolean {
  const { plan } = node
  return (
    plan.manyGroups === true &&
    plan.wantsTotal === true &&
    plan.size !== undefined &&
    plan.chosen === undefined &&
    (plan.minimumCount ?? 0) <= 1 &&
    chain.length === 0 &&
    own.length === 1
  )
}

const everyRow = sql`sum(count()) OVER ()`

function totalOf({ node, parents, own, open }: Grouping): Sql {
  if (!node.plan.wantsTotal) return sql`0`
  if (open.length > 0) return sql`sum(if(isNull(${join(own, ', ')}), 0, count())) OVER ()`
  return sql`sum(count()) OVER (${parents.length === 0 ? nothing : sql`PARTITION BY ${join(parents, ', ')}`})`
}

/** How many rows a source has. */
export async function countOf(source: PlannedRows, run: BucketRun): Promise<number> {
  const statement = sql`SELECT count() FROM (${source.select(nothing)})`
  const [row] = await run.services.engine.rows(statement, run.read)
  return Number(row?.[0] ?? 0)
}

/** Documents by key among everything the caller may see. */
export async function findBackground(
  node: BucketNode,
  found: readonly RawBucket[],
  run: BucketRun,
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
          sql`SELECT ${names}, count() FROM ${expanded([level], source, conditions)}${where} GROUP BY ${names} ORDER BY ${names} LIMIT ${num(run.bucketsMax + 1)}`,
          run.read,
        ),
    countOf(run.everything(), run),
  ])
  if (rows.length > run.bucketsMax) throw tooManyBuckets(run.bucketsMax)
  return { keys: rows.map((row) => ({ key: row.slice(0, keys.length), count: Number(row[keys.length]) })), documents }
}

function limits(node: BucketNode, parents: readonly Sql[], bucketsMax: number): Sql {
  // One more than may be, and as many of rows without a value: were these more than one for each parent, there would be too many parents.
  const most = sql` LIMIT ${num(2 * (bucketsMax + 1))}`
  const { size } = node.plan
  if (size === undefined) return most
  return parents.length === 0
    ? sql` LIMIT ${num(Math.min(size, bucketsMax + 2))}`
    : sql` LIMIT ${num(size)} BY ${join(parents, ', ')}${most}`
}

/** The column that an order path leads to: `name`, `name.property` or `name[50]` of a metric right below, or one below single buckets, which is added to `named`. */
function metricColumn(node: BucketNode, path: string, named: Sql[]): Sql {
  const parts = /^([^.>[\]]+)(?:\.([^>[\]]+)|\[([^\]]+)\])?$/u.exec(path)
  let cell = 0
  for (const { node: metric, plan } of node.metrics) {
    if (parts && metric.name === parts[1]) {
      const property = parts[2] ?? parts[3]
      const at = plan.orderCell(property)
      const found = at === undefined ? undefined : ident(`m${cell + at}`)
      if (found) return plan.ordered?.(found, property) ?? found
    }
    cell += plan.cells.length
  }
  const deep = deepOrderCell(node.buckets, path, node.source)
  if (deep) {
    const name = ident(`m${named.length}`)
    named.push(sql`${deep} AS ${name}`)
    return name
  }
  const name = /^[^.>[\]]+/u.exec(path)?.[0] ?? path
  if (
    ![...node.metrics.map((each) => each.node), ...node.buckets.map((each) => each.node)].some(
      (each) => each.name === name,
    )
  ) {
    const cause = illegalArgument(`Cannot find aggregation named [${name}]`)
    throw ofReduction(illegalArgument(`Invalid aggregation order path [${path}]. ${cause.message}`, cause))
  }
  throw new AppError(
    searchErrors.aggregation_execution_exception,
    `Invalid aggregation order path [${path}]. The provided aggregation [${parts?.[1] ?? path}] either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets.`,
  )
}
