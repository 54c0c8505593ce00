import { isAppError, placeOf } from '@logstack/errors'
import type { Command, CommandOf, EsqlQuery } from '@logstack/esql'
import { fitsStars } from '@logstack/rules'
import type { TracedContext } from '../dsl/lower-context.ts'
import { cachedEngine } from '../engine/read-cache.ts'
import type { ResolvedIndex } from '../indices/resolve.ts'
import { createRowSource, type Places, type PlannedRows, type ScoredLeaf } from '../plan/buckets/row-source.ts'
import { scoreLeaf } from '../plan/leaves/score-leaf.ts'
import { prepareLeaves } from '../plan/prepare-leaves.ts'
import { shown } from '../plan/shown.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { noting, type QueryContext, valueIn } from './define-command.ts'
import type { EsqlCall, RunServices } from './esql-call.ts'
import { fullTextNames } from './functions/index.ts'
import { metadataOf } from './metadata.ts'
import { namesUsed } from './names-used.ts'
import { newestWanted } from './newest-first.ts'
import { Problem, verificationError } from './problems.ts'
import { type KnownNames, type Pushed, pushedDown } from './pushdown.ts'
import { mergeFields } from './source-fields.ts'
import { documentRows, noRows, type SourceField } from './sources.ts'
import type { Stage } from './stage.ts'

/** The rows a query begins with, and the commands that are left to be applied to them. */
export interface Source {
  readonly stage: Stage
  readonly commands: readonly Command[]
  /** Where so many of the newest documents are asked for: a part of the rows, all of which are newer than all others. Undefined where none is known. */
  readonly newest?: () => Promise<{ readonly stage: Stage; readonly count: number } | undefined>
  /** The documents of how many leaves these are. */
  readonly leaves?: number
  /** Where each row is: the number of its leaf and that of the row. */
  readonly place?: () => Sql
  /** The rows at places alone. */
  readonly only?: (places: Places) => Stage
}

/** A query's FROM and the commands behind it. */
interface FromQuery {
  readonly from: CommandOf<'from'>
  readonly commands: readonly Command[]
}

/** The documents of indices as the rows a query begins with. What commands right behind it ask of documents is asked of the indices, and taken out of the commands where it is said to the letter. */
export async function documentsOf(
  services: RunServices,
  call: EsqlCall,
  context: QueryContext,
  { from, commands }: FromQuery,
): Promise<Source> {
  const indices = indicesOf(from, call)
  await shown(services, indices)
  const merged = mergeFields(
    indices.map(({ index }) => ({
      index: index.name,
      fields: [...services.catalogue.fields(index)].filter(([, { path }]) => call.scope.canSeeField(index.name, path)),
    })),
  )
  const pushed = pushedDown(commands, knownNames(merged, context))
  const isScored = from.metadata.some(({ name }) => name === '_score')
  const asked = { indices, pushed, isScored, touched: touchedNames(call.query, merged) }
  const leaves = await leavesOf(services, call, context, asked)
  if (leaves.length === 0) return { stage: noRows(), commands: pushed.rest }
  const rows = createRowSource(services, leaves, context.nowMs)
  const metadata = metadataOf(from, rows)
  if (from.bracket !== undefined) context.warnings.add(squareBrackets(context.text, from.bracket))
  const fields = merged.filter(({ name }) => !leaves.some((leaf) => liesInNested(name, leaf.context)))
  const stage = documentRows(rows, { fields, metadata }, context)
  return {
    stage,
    commands: pushed.rest,
    newest: () => newestOf(services, call, rows, stage, pushed.rest),
    leaves: leaves.length,
    ...(rows.place ? { place: rows.place } : {}),
    only: (places) => documentRows(rows.only(places), { fields, metadata }, context),
  }
}

/** The newest rows, where a query asks for some of them and knows what comes of rows without a time: there is none, or they come last. */
async function newestOf(
  { engine }: RunServices,
  { signal }: EsqlCall,
  rows: PlannedRows,
  stage: Stage,
  commands: readonly Command[],
): ReturnType<NonNullable<Source['newest']>> {
  const wanted = newestWanted(commands)
  const condition = wanted && rows.newest?.()
  if (!condition) return undefined
  if (wanted.nullsFirst) {
    const { sql: time } = rows.field('@timestamp')
    const without = sql`SELECT 1 FROM (${rows.select(time)}) WHERE isNull(${time}) LIMIT 1`
    if ((await cachedEngine(engine).rows(without, { signal })).length > 0) return undefined
  }
  const from = () => sql`(SELECT * FROM ${stage.from()} WHERE ${condition})`
  return { stage: { ...stage, from }, count: wanted.count }
}

function indicesOf({ from, indices }: CommandOf<'from'>, { query, resolve }: EsqlCall): readonly ResolvedIndex[] {
  const names = indices.join(',')
  try {
    const found = resolve(names)
    if (found.length > 0) return found
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown
    // Where there are others of those that were asked for, one is missed.
    if (indices.some((name) => isThere(name, resolve))) throw thrown
  }
  throw verificationError(query.text, [new Problem(from, `Unknown index [${names}]`)])
}

function isThere(name: string, resolve: EsqlCall['resolve']): boolean {
  try {
    return resolve(name).length > 0
  } catch (thrown) {
    if (isMissing(thrown)) return false
    throw thrown
  }
}

function isMissing(thrown: unknown): boolean {
  return isAppError(thrown) && thrown.code === 'index_not_found_exception'
}

/** Fields of nested objects are none of the document. */
function liesInNested(path: string, { isNested }: TracedContext): boolean {
  const parts = path.split('.')
  return parts.some((_, at) => at > 0 && isNested(parts.slice(0, at).join('.')))
}

/** What conditions may be pushed down on: fields that mean the same to the DSL, and full text. */
function knownNames(fields: readonly SourceField[], context: QueryContext): KnownNames {
  const types = new Map(fields.flatMap(({ name, type, isExact }) => (isExact ? [[name, type] as const] : [])))
  const unread = { sql: sql`NULL`, many: false }
  const columns = fields.map(({ name, type }) => ({ name, type, field: name, read: () => unread }))
  return {
    typeOf: (name) => types.get(name),
    fullText(expression, past) {
      const isFullText = expression.kind === 'call' ? fullTextNames.has(expression.name) : expression.kind === 'match'
      if (!isFullText) return undefined
      const asked: unknown[] = []
      const matches = (query: unknown) => {
        asked.push(query)
        return sql`1`
      }
      const stage: Stage = { columns, order: [], rowsMax: undefined, matches, past, from: () => sql`nothing` }
      const scratch = { ...context, problems: [] }
      noting(scratch, () => valueIn(stage, scratch, expression))
      return asked[0]
    },
  }
}

interface Asked {
  readonly indices: readonly ResolvedIndex[]
  readonly pushed: Pushed
  readonly isScored: boolean
  /** Fields that the query may read: indices that differ in them are read apart. */
  readonly touched: readonly string[]
}

async function leavesOf(
  services: RunServices,
  { scope, signal, ...call }: EsqlCall,
  { nowMs }: QueryContext,
  { indices, pushed, isScored, touched }: Asked,
): Promise<readonly ScoredLeaf[]> {
  const { fullText, filter } = pushed
  const given = await call.filter?.(indices)
  const bool = { must: fullText, filter: given === undefined ? filter : [...filter, given] }
  const touch = (context: TracedContext) => {
    for (const path of [...touched, '_index']) context.mayRead(path)
  }
  const query = bool.must.length + bool.filter.length === 0 ? undefined : { bool }
  const request = { indices, scope, query, nowMs, touch, scored: isScored }
  const leaves = await prepareLeaves(services, request, { signal })
  if (!isScored) return leaves
  // What no full text was asked of scores nothing.
  if (fullText.length === 0) return leaves.map((leaf) => ({ ...leaf, scored: 0 }))
  return Promise.all(leaves.map(async (leaf) => ({ ...leaf, scored: await scoreLeaf(services, leaf, { signal }) })))
}

function touchedNames(query: EsqlQuery, fields: readonly SourceField[]): readonly string[] {
  const used = [...namesUsed(query)]
  return fields.flatMap(({ name }) => (used.some((each) => fitsStars(name, each)) ? [name] : []))
}

function squareBrackets(text: string, at: number): string {
  return `L${placeOf(text, at).slice(1)}: Square brackets '[]' need to be removed in FROM METADATA declaration`
}
