import type { CommandOf } from '@logstack/esql'
import type { ResolvedIndex } from '../indices/resolve.ts'
import { choosing, isWide, placesOf, readPlaces } from './chosen-rows.ts'
import { applyCommand } from './commands/index.ts'
import { bounded } from './commands/limit.ts'
import { noting, type QueryContext } from './define-command.ts'
import type { Source } from './documents.ts'
import { documentsOf } from './documents.ts'
import { withRowsTakenFirst } from './enrich/ahead.ts'
import { readEnriched } from './enrich/read-enriched.ts'
import type { EsqlCall, RunServices } from './esql-call.ts'
import { faultWarnings } from './faults.ts'
import { verificationError } from './problems.ts'
import { renderRows } from './render-rows.ts'
import { faultsOf, singleRow, statementOf } from './sources.ts'
import { Aliases, orderBy, type Stage } from './stage.ts'
import type { EsqlType } from './types.ts'

/** The answer: columns, and the rows with a cell for each. */
export interface EsqlAnswer {
  readonly columns: readonly {
    readonly name: string
    readonly type: EsqlType
    /** What indices map it as that has no type that can be used. */
    readonly original_types?: readonly string[]
  }[]
  readonly rows: readonly (readonly unknown[])[]
  readonly warnings: readonly string[]
}

/** Runs a query. Throws `verification_exception` for what cannot be answered, and what searches throw. */
export async function runEsql(services: RunServices, given: EsqlCall): Promise<EsqlAnswer> {
  const { query } = given
  const commands = withRowsTakenFirst(query.commands, services.store)
  const call = { ...given, query: { ...query, commands } }
  const context: QueryContext = {
    text: query.text,
    nowMs: services.now(),
    aliases: new Aliases(),
    warnings: new Set(),
    problems: [],
    lookups: new Map(),
    enriched: new Map(),
    hasLimit: query.commands.some(({ command }) => command === 'limit'),
    readsAgain: query.commands.some(({ command }) => command === 'enrich'),
  }
  const release = services.documents.hold()
  try {
    const source = await sourceOf(services, call, context)
    await readLookups(services, call, context)
    const whole = await planned(services, call, source, context)
    const rows =
      (await chosenRows(services, call, { source, whole }, context)) ??
      (await newestRows(services, call, source, context)) ??
      (await rowsOf(services, call, { stage: whole, context }))
    const columns = whole.columns.map(({ name, type, original }) =>
      type === 'unsupported' && original ? { name, type, original_types: original } : { name, type },
    )
    // Of no columns there are no rows.
    return {
      columns,
      rows: columns.length === 0 ? [] : renderRows(whole.columns, rows ?? []),
      warnings: [...context.warnings],
    }
  } finally {
    release()
  }
}

/** Rows of many tables by where they are, which is looked for first; undefined where that is not worth while. */
async function chosenRows(
  services: RunServices,
  call: EsqlCall,
  { source, whole }: { readonly source: Source; readonly whole: Stage },
  context: QueryContext,
): Promise<readonly (readonly unknown[])[] | undefined> {
  const { leaves = 1, place, only } = source
  const commands = choosing(source.commands)
  if (!place || !only || !commands || !isWide(leaves, whole.columns.length)) return undefined
  const chosen = await planned(services, call, { stage: source.stage, commands }, context)
  const reading = { signal: call.signal, weight: 'heavy' } as const
  const places = readPlaces(await services.engine.rows(placesOf(chosen, place()), reading))
  if (places.size === 0) return []
  return rowsOf(services, call, {
    stage: await planned(services, call, { ...source, stage: only(places) }, context),
    context,
  })
}

/** Rows out of a part of the newest; undefined where these are too few. */
async function newestRows(
  services: RunServices,
  call: EsqlCall,
  source: Source,
  context: QueryContext,
): Promise<readonly (readonly unknown[])[] | undefined> {
  const few = await source.newest?.()
  if (!few) return undefined
  const stage = await planned(services, call, { ...source, stage: few.stage }, context)
  return rowsOf(services, call, { stage, context }, few.count)
}

/** The rows of a stage; undefined where there are fewer than `least`. */
async function rowsOf(
  { engine }: RunServices,
  { signal }: EsqlCall,
  { stage, context }: { readonly stage: Stage; readonly context: QueryContext },
  least = 0,
): Promise<readonly (readonly unknown[])[] | undefined> {
  if (stage.rowsMax === 0) return []
  const rows = await engine.rows(statementOf(stage, orderBy(stage.order)), { signal, weight: 'heavy' })
  if (rows.length < least) return undefined
  for (const [at, fault] of faultsOf(stage).entries())
    for (const warning of faultWarnings(
      context.text,
      fault,
      rows.map((row) => row[stage.columns.length + at]),
    ))
      context.warnings.add(warning)
  return rows
}

async function planned(
  services: RunServices,
  call: EsqlCall,
  source: Pick<Source, 'stage' | 'commands'>,
  context: QueryContext,
): Promise<Stage> {
  const { query } = call
  let { stage } = source
  for (const command of source.commands) {
    if (command.command === 'enrich') {
      const enriched = await readEnriched(services, call, { stage, command }, context)
      if (enriched) context.enriched.set(command, enriched)
    }
    const next = noting(context, () => applyCommand(stage, command, context))
    // What comes after a command that could not be read would only repeat its fault.
    if (!next || context.problems.length > 0) break
    stage = next
  }
  if (context.problems.length > 0) throw verificationError(query.text, context.problems)
  return bounded(stage, context)
}

async function sourceOf(services: RunServices, call: EsqlCall, context: QueryContext): Promise<Source> {
  const [first, ...commands] = call.query.commands
  if (first?.command === 'row') return { stage: singleRow(first, context), commands }
  if (first?.command === 'show') return { stage: singleRow(infoRow(first, call), context), commands }
  if (first?.command !== 'from') throw new Error('BUG: a query begins with a source')
  return documentsOf(services, call, context, { from: first, commands })
}

/** The rows of each index that LOOKUP JOIN names; what the request filters by is not asked of them. */
async function readLookups(services: RunServices, call: EsqlCall, context: QueryContext): Promise<void> {
  const { filter: _filter, ...unfiltered } = call
  for (const command of call.query.commands) {
    if (command.command !== 'lookup' || context.lookups.has(command.index)) continue
    const { index, place } = command
    const { from, to } = place
    const source: CommandOf<'from'> = { command: 'from', indices: [index], metadata: [], from, to }
    const query = { text: call.query.text, commands: [source] }
    const { stage } = await documentsOf(services, { ...unfiltered, query }, context, { from: source, commands: [] })
    context.lookups.set(index, { stage, refusal: lookupRefusal(index, call.resolve(index)) })
  }
}

/** Why indices cannot be joined; undefined where they can. */
function lookupRefusal(name: string, found: readonly ResolvedIndex[]): string | undefined {
  const needed = `Lookup Join requires a single lookup mode index; [${name}] resolves to`
  const [{ index } = { index: undefined }] = found
  if (!index || found.length > 1) return `${needed} [${found.length}] indices`
  const mode = index.settings['mode'] ?? 'standard'
  return mode === 'lookup' ? undefined : `${needed} [${index.name}] in [${mode}] mode`
}

function infoRow({ from, to }: CommandOf<'show'>, { version }: EsqlCall): CommandOf<'row'> {
  const field = (name: string, value: string) => ({ name, of: { kind: 'literal' as const, value, from, to }, from, to })
  const { number, build_date: date, build_hash: hash } = version
  return { command: 'row', fields: [field('version', number), field('date', date), field('hash', hash)], from, to }
}
