import type { ResolvedIndex } from '../indices/catalogue.ts'
import type { ResolvedField } from '../indices/model.ts'
import { prepareLeaves } from '../plan/prepare-leaves.ts'
import { createRowSource } from '../plan/row-source.ts'
import { shown } from '../plan/shown.ts'
import type { Scope } from '../security/scope.ts'
import type { Services } from '../services.ts'
import type { CommandOf, EsqlQuery } from './ast.ts'
import { applyCommand } from './commands/index.ts'
import { bounded } from './commands/limit.ts'
import { noting, type QueryContext } from './define-command.ts'
import { namesUsed } from './names-used.ts'
import { Problem, verificationError } from './problems.ts'
import { renderRows } from './render-rows.ts'
import { mergeFields } from './source-fields.ts'
import { documentRows, noRows, singleRow, statementOf } from './sources.ts'
import { Aliases, type Column, columnAt, orderBy, type Stage } from './stage.ts'
import type { EsqlType } from './types.ts'

/** What an ES|QL query is run with. */
export interface EsqlCall {
  readonly query: EsqlQuery
  /** A query of the DSL that documents must meet, too. */
  readonly filter?: unknown
  readonly scope: Scope
  readonly signal: AbortSignal
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
    const source = await sourceOf(services, call, context)
    const stage = planned(source, query, context)
    const statement = statementOf(stage, orderBy(stage.order))
    const rows =
      stage.rowsMax === 0 ? [] : await services.engine.rows(statement, { signal: call.signal, weight: 'heavy' })
    const columns = stage.columns.map(({ name, type }) => ({ name, type }))
    return { columns, rows: renderRows(stage.columns, rows), warnings: [...context.warnings] }
  } finally {
    release()
  }
}

function planned(source: Stage, query: EsqlQuery, context: QueryContext): Stage {
  let stage = source
  for (const command of query.commands.slice(1)) {
    const next = noting(context, () => applyCommand(stage, command, context))
    // What comes after a command that could not be read would only repeat its fault.
    if (!next || context.problems.length > 0) break
    stage = next
  }
  if (context.problems.length > 0) throw verificationError(query.text, context.problems)
  const hasLimit = query.commands.some(({ command }) => command === 'limit')
  return bounded(stage, hasLimit, context)
}

async function sourceOf(services: RunServices, call: EsqlCall, context: QueryContext): Promise<Stage> {
  const [first] = call.query.commands
  if (first?.command === 'row') return singleRow(first, context)
  if (first?.command === 'show') return singleRow(infoRow(first), context)
  if (first?.command !== 'from') throw new Error('BUG: a query begins with a source')
  const indices = call.resolve(first.indices.join(','))
  if (indices.length === 0)
    throw verificationError(call.query.text, [new Problem(first.from, `Unknown index [${first.indices.join(',')}]`)])
  await shown(services, indices)
  const fields = indices.map(({ index }) =>
    [...services.catalogue.fields(index)].filter(([, field]) => call.scope.canSeeField(index.name, field.path)),
  )
  const used = namesUsed(call.query)
  const touched = [...new Set(fields.flat().map(([path]) => path))].filter((path) => isUsed(path, used))
  const leaves = await prepareLeaves(
    services,
    {
      indices,
      scope: call.scope,
      query: call.filter,
      nowMs: context.nowMs,
      touch: (lower) => {
        for (const path of touched) lower.field(path)
        lower.field('_index')
      },
    },
    { signal: call.signal },
  )
  const rows = createRowSource(services, leaves, context.nowMs)
  if (leaves.length === 0) return noRows()
  return documentRows(rows, mergeFields(fields as (readonly [string, ResolvedField])[][]), metadataOf(first, rows))
}

function isUsed(path: string, used: ReadonlySet<string>): boolean {
  if (used.has(path) || used.has('*')) return true
  return [...used].some((name) => name.includes('*'))
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

function infoRow({ from, to }: CommandOf<'show'>): CommandOf<'row'> {
  const field = (name: string, value: string) => ({ name, of: { kind: 'literal' as const, value, from, to }, from, to })
  return { command: 'row', fields: [field('version', '8.19.2'), field('date', ''), field('hash', '')], from, to }
}
