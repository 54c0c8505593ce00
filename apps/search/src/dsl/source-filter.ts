import { z } from 'zod'
import { jsonToken } from '../json/json-token.ts'
import { parsingError, refusing } from '../refusals/refuse.ts'
import { oneOrMany } from './shapes/scalars.ts'
import { changeSourceText, filterSource } from './source-choice.ts'

const filterSchema = z.union([
  z.boolean(),
  z.string(),
  z.array(z.string()),
  z.strictObject({
    includes: oneOrMany(z.string()).optional(),
    include: oneOrMany(z.string()).optional(),
    excludes: oneOrMany(z.string()).optional(),
    exclude: oneOrMany(z.string()).optional(),
  }),
])

/** `_source`: whether, or which parts of it. */
export const sourceFilterSchema = refusing(filterSchema, (given) => {
  const isOfKind = given !== null && typeof given !== 'number' && typeof given !== 'bigint'
  if (!isOfKind)
    return parsingError(
      `Expected one of [VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT] but found [${jsonToken(given)}]`,
    )
  const known = ['includes', 'include', 'excludes', 'exclude']
  const [name, value] = Object.entries(Object(given)).find(([key]) => !known.includes(key)) ?? []
  return parsingError(`Unknown key for a ${jsonToken(value)} in [${name ?? ''}].`)
})

/** Parts of a source by path patterns; no `includes` means all. */
export interface SourceParts {
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
}

/** How sources are answered: as they are, not at all, or in parts. */
export type SourceFilter = 'whole' | 'none' | SourceParts

/** Reads `_source` of a request. */
export function readSourceFilter(given: z.infer<typeof sourceFilterSchema> | undefined): SourceFilter {
  if (given === undefined || given === true) return 'whole'
  if (given === false) return 'none'
  if (typeof given === 'string') return parts([given], [])
  if (isList(given)) return parts(given, [])
  return parts(
    [...(given.includes ?? []), ...(given.include ?? [])],
    [...(given.excludes ?? []), ...(given.exclude ?? [])],
  )
}

function isList(given: object): given is readonly string[] {
  return Array.isArray(given)
}

/** A filter by patterns. */
function parts(includes: readonly string[], excludes: readonly string[]): SourceFilter {
  return includes.length === 0 && excludes.length === 0 ? 'whole' : { includes, excludes }
}

/** The wanted parts of a parsed source; anything but an object has none. */
function filterParts(source: unknown, filter: SourceParts): Record<string, unknown> {
  if (source === null || typeof source !== 'object' || Array.isArray(source)) return {}
  return filterSource({ ...source }, filter)
}

/** The wanted parts of a stored source as JSON; numbers keep the text they were written with. */
export function filterSourceText(source: string, filter: SourceParts): string {
  return changeSourceText(source, (parsed) => filterParts(parsed, filter))
}
