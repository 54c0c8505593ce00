import { leavesAt, readGeoPoint, wholesAt } from '@logstack/rules'
import type { CompletionContext, CompletionInput } from '../../indices/field-types/completion.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { distanceOf } from '../../values/geo.ts'
import { scalarText } from '../../values/scalar-text.ts'
import { cellsAround, geohashLength, geohashOf } from './geohash.ts'

/** Letters of a geohash where neither mapping nor query says a precision. */
const geohashLengthDefault = 6

/** One context of a query: what of a document it fits, and how much more that weighs. */
interface AskedContext {
  readonly name: string
  readonly boost: number
  fits(values: readonly string[]): boolean
}

/** The contexts of a query, any of which must fit; undefined when the field has none. Throws `illegal_argument_exception`. */
export function readContexts(
  given: Readonly<Record<string, unknown>> | undefined,
  mapped: readonly CompletionContext[] | undefined,
): readonly AskedContext[] | undefined {
  if (!mapped) {
    if (given && Object.keys(given).length > 0)
      throw illegalArgument("suggester [completion] doesn't expect any context")
    return undefined
  }
  const asked = Object.entries(given ?? {}).flatMap(([name, value]) => {
    const context = mapped.find((each) => each.name === name)
    if (!context)
      throw illegalArgument(
        `Unknown context name [${name}], must be one of [${mapped.map((each) => each.name).join(', ')}]`,
      )
    const isPoint = context.type === 'geo' && readGeoPoint(value) !== undefined
    const list: readonly unknown[] = Array.isArray(value) && !isPoint ? value : [value]
    return list.map((each) => (context.type === 'geo' ? geoContext(context, each) : categoryContext(name, each)))
  })
  if (asked.length === 0) throw illegalArgument('Missing mandatory contexts in context query')
  return asked
}

function categoryContext(name: string, given: unknown): AskedContext {
  const { context, boost = 1, prefix = false } = objectOf(given)
  const text = scalarText(context ?? given)
  return {
    name,
    boost: Number(scalarText(boost)),
    fits: (values) => values.some((value) => (prefix === true ? value.startsWith(text) : value === text)),
  }
}

function geoContext({ name, precision }: CompletionContext, given: unknown): AskedContext {
  const { context, boost = 1, precision: own, neighbours } = objectOf(given)
  const point = readGeoPoint(context ?? given)
  if (!point) throw illegalArgument(`context [${name}] needs a point, but got [${JSON.stringify(given)}]`)
  const length = lettersOf(own ?? precision)
  const lengths = Array.isArray(neighbours) ? neighbours.map(lettersOf) : [length]
  const cells = new Set([geohashOf(point, length), ...lengths.flatMap((each) => cellsAround(geohashOf(point, each)))])
  return {
    name,
    boost: Number(scalarText(boost)),
    fits: (values) => values.some((value) => [...cells].some((cell) => value.startsWith(cell))),
  }
}

function objectOf(given: unknown): Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && 'context' in given ? { ...given } : {}
}

function lettersOf(precision: unknown): number {
  if (precision === undefined) return geohashLengthDefault
  return typeof precision === 'number' ? precision : geohashLength(distanceOf(precision))
}

/** The values of an input in each context: its own, else those at the path of the mapping. Points are geohashes of full length. */
export function contextsOf(
  { contexts }: CompletionInput,
  mapped: readonly CompletionContext[] | undefined,
  source: unknown,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const { name, type, path } of mapped ?? []) {
    const own = contexts[name]
    const given =
      own ?? (path === undefined ? undefined : type === 'geo' ? wholesAt(source, path) : leavesAt(source, path))
    if (given === undefined) continue
    const list: readonly unknown[] = Array.isArray(given) && !(type === 'geo' && readGeoPoint(given)) ? given : [given]
    const values = list.flatMap((value) => (type === 'geo' ? pointHash(value) : [scalarText(value)]))
    if (values.length > 0) found.set(name, values)
  }
  return found
}

const geohashLengthMax = 12

function pointHash(value: unknown): readonly string[] {
  const point = readGeoPoint(value)
  return point ? [geohashOf(point, geohashLengthMax)] : []
}
