import { isAppError } from '@logstack/errors'
import { fitsStars } from '@logstack/rules'
import type { TracedContext } from '../dsl/lower-context.ts'
import type { ResolvedIndex } from '../indices/catalogue.ts'
import type { Leaf } from '../plan/leaves.ts'
import { prepareLeaves } from '../plan/prepare-leaves.ts'
import { createRowSource } from '../plan/row-source.ts'
import { shown } from '../plan/shown.ts'
import type { Scope } from '../security/scope.ts'
import type { Services } from '../services.ts'
import { sql } from '../sql/sql.ts'
import type { Command, CommandOf, EsqlQuery } from './ast.ts'
import { applyCommand } from './commands/index.ts'
import { bounded } from './commands/limit.ts'
import { noting, type QueryContext, valueIn } from './define-command.ts'
import { namesUsed } from './names-used.ts'
import { Problem, verificationError } from './problems.ts'
import { type KnownNames, pushedDown } from './pushdown.ts'
import { renderRows } from './render-rows.ts'
import { mergeFields } from './source-fields.ts'
import { documentRows, noRows, type SourceField, singleRow, statementOf } from './sources.ts'
import { Aliases, type Column, columnAt, orderBy, type Stage } from './stage.ts'
import type { EsqlType } from './types.ts'

/** What an ES|QL query is run with. */
export interface EsqlCall {
  readonly query: EsqlQuery
  /** A query of the DSL that documents must meet, too. */
  readonly filter?: unknown
  readonly scope: Scope
  readonly signal: AbortSignal
  /** What SHOW INFO tells. */
  readonly version: { readonly number: string; readonly build_date: string; readonly build_hash: string }
  /** The indices of an expression that the caller may read. */
  resolve(expression: string): readonly ResolvedIndex[]
}

/** The answer: columns, and the rows with a cell for each. */
export interface EsqlAnswer {
  readonly columns: readonly { readonly name: string; readonly type: EsqlType }[]
  readonly rows: readonly (readonly unknown[])[]
  readonly warnings: readonly string[]
}

type RunServices = Pick<Services, 'engine' | 'catalogue' | 'documents' | 'now'>

/** Runs a query. Throws `verification_exception` for what cannot be answered, and what searches throw. */
export async function runEsql(services: RunServices, call: EsqlCall): Promise<EsqlAnswer> {
  const { query } = call
  const context: QueryContext = {
    text: query.text,
    nowMs: services.now(),
    aliases: new Aliases(),
    warnings: new Set(),
    problems: [],
  }
  const release = services.documents.hold()
  try {
    const { stage: source, commands } = await sourceOf(services, call, context)
    const stage = planned(source, commands, call.query, context)
    const statement = statementOf(stage, orderBy(stage.order))
    const rows =
      stage.rowsMax === 0 ? [] : await services.engine.rows(statement, { signal: call.signal, weight: 'heavy' })
    const columns = stage.columns.map(({ name, type }) => ({ name, type }))
    return { columns, rows: renderRows(stage.columns, rows), warnings: [...context.warnings] }
  } finally {
    release()
  }
}

function planned(source: Stage, commands: readonly Command[], query: EsqlQuery, context: QueryContext): Stage {
  let stage = source
  for (const command of commands) {
    const next = noting(context, () => applyCommand(stage, command, context))
    // What comes after a command that could not be read would only repeat its fault.
    if (!next || context.problems.length > 0) break
    stage = next
  }
  if (context.problems.length > 0) throw verificationError(query.text, context.problems)
  const hasLimit = query.commands.some(({ command }) => command === 'limit')
  return bounded(stage, hasLimit, context)
}

/** The rows a query begins with, and the commands that are left to be applied to them. */
interface Source {
  readonly stage: Stage
  readonly commands: readonly Command[]
}

async function sourceOf(services: RunServices, call: EsqlCall, context: QueryContext): Promise<Source> {
  const [first, ...commands] = call.query.commands
  if (first?.command === 'row') return { stage: singleRow(first, context), commands }
  if (first?.command === 'show') return { stage: singleRow(infoRow(first, call), context), commands }
  if (first?.command !== 'from') throw new Error('BUG: a query begins with a source')
  const indices = indicesOf(first, call)
  await shown(services, indices)
  const merged = mergeFields(
    indices.map(({ index }) => ({
      index: index.name,
      fields: [...services.catalogue.fields(index)].filter(([, { path }]) => call.scope.canSeeField(index.name, path)),
    })),
  )
  const { filter, rest } = pushedDown(commands, knownNames(merged, context))
  const touched = touchedNames(call.query, merged)
  const leaves = await leavesOf(services, call, context, {
    indices,
    touched,
    query: call.filter === undefined ? filter : [...filter, call.filter],
  })
  if (leaves.length === 0) return { stage: noRows(), commands: rest }
  const rows = createRowSource(services, leaves, context.nowMs)
  const metadata = noting(context, () => metadataOf(first, rows)) ?? []
  const fields = merged.filter(({ name }) => !leaves.some(({ context }) => liesInNested(name, context)))
  return { stage: documentRows(rows, fields, metadata), commands: rest }
}

function indicesOf({ from, indices }: CommandOf<'from'>, { query, resolve }: EsqlCall): readonly ResolvedIndex[] {
  const unknown = (name: string) => verificationError(query.text, [new Problem(from, `Unknown index [${name}]`)])
  try {
    const found = resolve(indices.join(','))
    if (found.length > 0) return found
  } catch (thrown) {
    if (!isAppError(thrown) || thrown.code !== 'index_not_found_exception') throw thrown
    throw unknown(String(thrown.detail['index'] ?? indices.join(',')))
  }
  throw unknown(indices.join(','))
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
  const columns = fields.map(({ name, type }) => ({ name, type, read: () => unread }))
  return {
    typeOf: (name) => types.get(name),
    fullText(expression) {
      if (expression.kind !== 'match' && expression.kind !== 'call') return undefined
      const asked: unknown[] = []
      const matches = (query: unknown) => {
        asked.push(query)
        return sql`1`
      }
      const stage: Stage = { columns, order: [], rowsMax: undefined, matches, from: () => sql`nothing` }
      const scratch = { ...context, problems: [] }
      const value = noting(scratch, () => valueIn(stage, scratch, expression))
      return value?.sql.text === '1' && asked.length === 1 ? asked[0] : undefined
    },
  }
}

function leavesOf(
  services: RunServices,
  { scope, signal }: EsqlCall,
  { nowMs }: QueryContext,
  asked: {
    readonly indices: readonly ResolvedIndex[]
    readonly touched: readonly string[]
    readonly query: readonly unknown[]
  },
): Promise<readonly Leaf[]> {
  const query = asked.query.length === 0 ? undefined : { bool: { filter: asked.query } }
  const touch = (context: TracedContext) => {
    for (const path of [...asked.touched, '_index']) context.field(path)
  }
  return prepareLeaves(services, { indices: asked.indices, scope, query, nowMs, touch }, { signal })
}

/** The fields that a query may read: indices that differ in them are read apart. */
function touchedNames(query: EsqlQuery, fields: readonly SourceField[]): readonly string[] {
  const used = [...namesUsed(query)]
  return fields.flatMap(({ name }) => (used.some((each) => fitsStars(name, each)) ? [name] : []))
}

const metadataTypes: Readonly<Record<string, EsqlType>> = {
  _index: 'keyword',
  _id: 'keyword',
  _version: 'long',
  _ignored: 'keyword',
}

function metadataOf({ metadata }: CommandOf<'from'>, rows: ReturnType<typeof createRowSource>): readonly Column[] {
  return metadata.map((pattern) => {
    const type = metadataTypes[pattern.name]
    if (type === undefined) throw new Problem(pattern.from, `unsupported metadata field [${pattern.name}]`)
    const { sql: alias, many } = rows.field(pattern.name)
    return columnAt(pattern.name, { type, many }, alias)
  })
}

function infoRow({ from, to }: CommandOf<'show'>, { version }: EsqlCall): CommandOf<'row'> {
  const field = (name: string, value: string) => ({ name, of: { kind: 'literal' as const, value, from, to }, from, to })
  const { number, build_date: date, build_hash: hash } = version
  return { command: 'row', fields: [field('version', number), field('date', date), field('hash', hash)], from, to }
}
