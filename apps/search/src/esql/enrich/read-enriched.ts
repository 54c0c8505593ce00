import { AppError, searchErrors } from '@logstack/errors'
import type { CommandOf } from '@logstack/esql'
import type { EnrichReader } from '../../enrich/lookup.ts'
import { forbidden } from '../../security/denied.ts'
import { num, sql } from '../../sql/sql.ts'
import { noting, type QueryContext } from '../define-command.ts'
import type { EsqlCall, RunServices } from '../esql-call.ts'
import { columnOf, type Stage } from '../stage.ts'
import { type EsqlType, shownType } from '../types.ts'
import { refuse, type Value } from '../value.ts'
import type { Enriched } from './enriched.ts'
import { type KeyCell, lookUp } from './lookup-values.ts'
import { columnsFor, readerFor } from './policies.ts'

/** What a caller must be let through to. */
const action = 'cluster:monitor/xpack/enrich/esql/resolve_policy'

/** The most values that are told apart of what rows are matched by. */
const enrichedValuesMax = 100_000

/**
 * Looks up what the rows of a stage have, each value once: the store has no rows that a statement could join. What stands wrong is noted, and nothing looked up.
 * Throws where the rows have more than `enrichedValuesMax` values, and `security_exception` for who may read no policies.
 */
export async function readEnriched(
  services: RunServices,
  { scope, signal }: EsqlCall,
  { stage, command }: { readonly stage: Stage; readonly command: CommandOf<'enrich'> },
  context: QueryContext,
): Promise<Enriched | undefined> {
  if (!scope.hasCluster(action)) throw forbidden(scope, action, 'cluster', action)
  const reader = readerFor(command, services.store, context)
  const key = keyOf(stage, command, reader, context)
  if (!reader || !key) return undefined
  const columns = columnsFor(command, reader, context)
  if (context.problems.length > 0) return undefined
  const cells = stage.rowsMax === 0 ? [] : await valuesOf(services, stage, key, signal)
  if (cells.length > enrichedValuesMax) {
    const reason = `[${context.text.slice(command.from, command.to)}] would look up more than [${enrichedValuesMax}] values; narrow the rows, or group them by [${key.text}] first`
    throw new AppError(searchErrors.circuit_breaking_exception, reason)
  }
  const places = await lookUp(reader, { cells, type: key.type }, command, { context, signal })
  return { reader, columns, key, places }
}

/** The values of a stage, each once, as the engine prints them and as it answers them. */
async function valuesOf(
  { engine }: RunServices,
  stage: Stage,
  { sql: cell, many }: Value,
  signal: AbortSignal,
): Promise<readonly KeyCell[]> {
  const isThere = many ? sql`notEmpty(${cell})` : sql`isNotNull(${cell})`
  const shown = many ? sql`arrayMap(x -> toString(x), ${cell})` : sql`toString(${cell})`
  const rows = await engine.rows(
    sql`SELECT key, any(cell) FROM (SELECT toString(${cell}) AS key, ${shown} AS cell FROM ${stage.from()} WHERE ${isThere}) GROUP BY key LIMIT ${num(enrichedValuesMax + 1)}`,
    { signal, weight: 'heavy' },
  )
  return rows.map(([key, value]) => [String(key), value])
}

/** What is looked up; undefined where it is no column, or none that the policy takes, which is noted. */
function keyOf(
  stage: Stage,
  command: CommandOf<'enrich'>,
  reader: EnrichReader | undefined,
  context: QueryContext,
): Value | undefined {
  const name = command.on?.name ?? reader?.policy.match_field
  if (name === undefined) return undefined
  return noting(context, () => {
    const key = columnOf(stage, name, command.on ?? command, name)
    const { type = 'match' } = reader?.policy ?? {}
    const taken: readonly EsqlType[] = type === 'geo_match' ? ['geo_point'] : matched
    if (!taken.includes(key.type)) {
      const called = type === 'geo_match' ? 'geo_point' : 'keyword, text, ip, long, integer, float, double, datetime'
      refuse(
        command.on ?? command,
        `Unsupported type [${shownType(key.type)}] for enrich matching field [${name}]; only [${called}] allowed for type [${type}]`,
      )
    }
    if (reader) refuseOtherRange(command, reader, key)
    return key
  })
}

const matched: readonly EsqlType[] = ['keyword', 'text', 'ip', 'long', 'integer', 'double', 'date']

/** Which types of values, besides texts, lie in which ranges. */
const inRanges: Readonly<Record<string, readonly EsqlType[]>> = {
  integer_range: ['integer', 'long'],
  long_range: ['integer', 'long'],
  float_range: ['integer', 'long', 'double'],
  double_range: ['integer', 'long', 'double'],
  date_range: ['date'],
  ip_range: ['ip'],
}

function refuseOtherRange(command: CommandOf<'enrich'>, { policy, version }: EnrichReader, { type }: Value): void {
  const { wireType = '' } = version.shape.field ?? {}
  if (policy.type !== 'range' || type === 'keyword' || type === 'text' || inRanges[wireType]?.includes(type)) return
  const [range = ''] = wireType.split('_')
  refuse(
    command,
    `ENRICH range and input types are incompatible: range[${range.toUpperCase()}], input[${shownType(type).toUpperCase()}]`,
  )
}
