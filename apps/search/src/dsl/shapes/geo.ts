import type { ResolvedField } from '../../model/mapping.ts'
import { parsingError, queryShardError } from '../../refusals/refuse.ts'
import type { LowerContext } from '../define-query.ts'

/** The point field of a clause; undefined when it is unmapped and that is said to be well. */
export function geoField(path: string, name: string, quiet: boolean, context: LowerContext): ResolvedField | undefined {
  const field = context.field(path)
  if (!field) {
    if (quiet || !context.hasIndex) return undefined
    throw queryShardError(context.reportedIndex, undefined, `failed to find geo field [${path}]`)
  }
  if (field.wireType !== 'geo_point') {
    const reason = `Field [${path}] is of unsupported type [${field.wireType}] for [${name}] query`
    throw queryShardError(context.reportedIndex, undefined, reason)
  }
  return field
}

/** A clause whose one member that is no parameter names its field. Throws `parsing_exception` for none or several. */
export function fieldBeside(
  body: unknown,
  parameters: ReadonlySet<string>,
  name: string,
): { readonly field: string; readonly value: unknown; readonly rest: Readonly<Record<string, unknown>> } {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw parsingError(`[${name}] query malformed, no start_object after query name`)
  const entries = Object.entries(body)
  const fields = entries.filter(([key]) => !parameters.has(key))
  const [first, second] = fields
  if (!first) throw parsingError(`[${name}] query malformed, no field name`)
  if (second)
    throw parsingError(`[${name}] query doesn't support multiple fields, found [${first[0]}] and [${second[0]}]`)
  return { field: first[0], value: first[1], rest: Object.fromEntries(entries.filter(([key]) => parameters.has(key))) }
}
