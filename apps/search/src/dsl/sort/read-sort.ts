import type { GeoPoint } from '@logstack/rules'
import { z } from 'zod'
import { illegalArgument, memberError, readStrictly, refusalIn, refusing } from '../../refusals/refuse.ts'
import { metresOf, pointOf } from '../../values/geo.ts'
import { fieldBeside } from '../shapes/geo.ts'
import { flag, scalar } from '../shapes/scalars.ts'
import { type NestedSort, readNestedSort } from './nested-sort.ts'

const direction = refusing(
  z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(['asc', 'desc'])),
  (given) => illegalArgument(`No enum constant org.elasticsearch.search.sort.SortOrder.${String(given).toUpperCase()}`),
)

const options = z.strictObject({
  order: direction.optional(),
  mode: z.string().optional(),
  missing: scalar.optional(),
  unmapped_type: z.string().optional(),
  numeric_type: z.string().optional(),
  format: z.string().optional(),
  nested: z.unknown().optional(),
  nested_path: z.string().optional(),
  ignore_unmapped: flag.optional(),
})
const scripted = z.strictObject({
  script: z.unknown(),
  type: z.string().optional(),
  order: direction.optional(),
  mode: z.string().optional(),
  nested: z.unknown().optional(),
})
const geoParameters = {
  order: direction.optional(),
  unit: z.string().optional(),
  mode: z.string().optional(),
  distance_type: z.enum(['arc', 'plane']).optional(),
  ignore_unmapped: flag.optional(),
  validation_method: z.string().optional(),
  nested: z.unknown().optional(),
} as const
const geoKeys = new Set(Object.keys(geoParameters))
const geo = z.strictObject(geoParameters)
const member = z.union([
  z.string(),
  z.strictObject({ _script: scripted }),
  z.strictObject({ _geo_distance: z.record(z.string(), z.unknown()) }),
  z.record(z.string(), z.unknown()),
])

/** `sort`: a field, an object of fields, or a list of these. */
export const sortSchema = z.union([
  z.array(
    refusing(member, () =>
      illegalArgument('malformed sort format, within the sort array, an object, or an actual string are allowed'),
    ),
  ),
  refusing(
    member.transform((only) => [only]),
    () => illegalArgument('malformed sort format, either start with array, object, or an actual string'),
  ),
])

const numericTypes = ['long', 'double', 'date', 'date_nanos'] as const
const modes = ['min', 'max', 'sum', 'avg', 'median'] as const
/** Which value of several a document sorts by. */
export type SortMode = (typeof modes)[number]

/** One criterion of a sort. `_doc` and `_shard_doc` are the order of arrival, `_score` is constant. */
export interface SortCriterion {
  readonly field: string
  readonly descending: boolean
  /** Which of several values counts. */
  readonly mode: SortMode
  /** Where documents without the field go, or the value they count as. */
  readonly missing: '_first' | '_last' | string | number | boolean | bigint
  readonly unmappedType: string | undefined
  readonly format: string | undefined
  /** As what type numbers are compared. */
  readonly numericType?: (typeof numericTypes)[number]
  /** Of a field of nested objects: which of them count. */
  readonly nested?: NestedSort
  /** Of `_script`: what gives the value to sort by. */
  /** Of `_geo_distance`: the points to measure from, and how long the unit is. */
  readonly distance?: { readonly from: readonly GeoPoint[]; readonly metres: number; readonly quiet: boolean }
  readonly script?: { readonly source: unknown; readonly valueType: 'double' | 'string' }
}

/** The criteria of a sort in order; an object's fields count in the order they are written. */
export function readSort(given: z.infer<typeof sortSchema> | undefined): SortCriterion[] {
  return (given ?? []).flatMap((each) =>
    typeof each === 'string'
      ? [plain(each)]
      : isScripted(each)
        ? [scriptCriterion(each._script)]
        : isByDistance(each)
          ? [distanceCriterion(each._geo_distance)]
          : Object.entries(each).map(([field, way]) => criterion(field, readWay(way))),
  )
}

function readWay(given: unknown): 'asc' | 'desc' | Options {
  if (typeof given !== 'string') return readStrictly(options, given, 'field_sort', 'query')
  const read = direction.safeParse(given)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw (issue && refusalIn(issue, given)) ?? illegalArgument(`malformed sort order [${given}]`)
}

function isByDistance(each: object): each is { readonly _geo_distance: Readonly<Record<string, unknown>> } {
  return '_geo_distance' in each && typeof each._geo_distance === 'object'
}

function distanceCriterion(given: Readonly<Record<string, unknown>>): SortCriterion {
  refuseFilter(given['nested'])
  const { field, value, rest } = fieldBeside(given, geoKeys, '_geo_distance')
  const {
    order = 'asc',
    unit = 'm',
    mode,
    ignore_unmapped: quiet = false,
  } = readStrictly(geo, rest, '_geo_distance', 'query')
  const pairs = Array.isArray(value) && typeof value[0] !== 'number' ? value : [value]
  return {
    ...criterion(field, { order, ...(mode === undefined ? {} : { mode }) }),
    distance: { from: pairs.map(pointOf), metres: metresOf(unit), quiet },
  }
}

type Options = z.infer<typeof options>
type Scripted = z.infer<typeof scripted>

function isScripted(each: object): each is { readonly _script: Scripted } {
  return '_script' in each && typeof each._script === 'object'
}

function scriptCriterion({ script, type, nested, order = 'asc' }: Scripted): SortCriterion {
  refuseFilter(nested)
  const required = Object.entries({ script, type }).filter(([, given]) => given === undefined)
  if (required.length > 0) throw illegalArgument(`Required [${required.map(([name]) => name).join(', ')}]`)
  if (type !== 'number' && type !== 'string') throw illegalArgument(`Unknown ScriptSortType [${type}]`)
  return {
    ...criterion('_script', order),
    script: { source: script, valueType: type === 'number' ? 'double' : 'string' },
  }
}

/** `field:desc`, as in the `sort` parameter of a URL. */
export function readSortParameter(text: string): SortCriterion[] {
  return text.split(',').map((part) => {
    const colon = part.lastIndexOf(':')
    const way = part.slice(colon + 1)
    if (colon > 0 && (way === 'asc' || way === 'desc')) return criterion(part.slice(0, colon), way)
    return plain(part)
  })
}

function plain(field: string): SortCriterion {
  return criterion(field, field === '_score' ? 'desc' : 'asc')
}

function criterion(field: string, way: 'asc' | 'desc' | Options): SortCriterion {
  const given = typeof way === 'string' ? { order: way } : way
  const descending = (given.order ?? (field === '_score' ? 'desc' : 'asc')) === 'desc'
  const mode = modes.find((known) => known === given.mode?.toLowerCase())
  if (given.mode !== undefined && mode === undefined)
    throw memberError('field_sort', 'mode', illegalArgument(`Unknown SortMode [${given.mode}]`))
  return {
    field,
    descending,
    mode: mode ?? (descending ? 'max' : 'min'),
    missing: given.missing ?? '_last',
    unmappedType: given.unmapped_type ?? (given.ignore_unmapped === true ? 'long' : undefined),
    format: given.format,
    ...numericTypeOf(given),
    ...nestedOf(given),
  }
}

function numericTypeOf({ numeric_type: given }: Options): Pick<SortCriterion, 'numericType'> {
  if (given === undefined) return {}
  const numericType = numericTypes.find((known) => known === given)
  if (numericType === undefined)
    throw memberError(
      'field_sort',
      'numeric_type',
      illegalArgument(`invalid value for [numeric_type], must be [long, double, date, date_nanos], got ${given}`),
    )
  return { numericType }
}

function nestedOf({ nested, nested_path: path }: Options): { readonly nested?: NestedSort } {
  const read = readNestedSort(nested) ?? (path === undefined ? undefined : { path })
  return read ? { nested: read } : {}
}

/** Only fields are sorted by the values of some of a document's objects. */
function refuseFilter(nested: unknown): void {
  if (filtersObjects(nested)) throw illegalArgument('[nested] of [sort] supports [filter] for fields only')
}

function filtersObjects(nested: unknown): boolean {
  return typeof nested === 'object' && nested !== null && 'filter' in nested
}

/** Whether the newest documents come first by the time of documents, and those without one last. */
export function isNewestFirst([first]: readonly SortCriterion[]): boolean {
  return first?.field === '@timestamp' && first.descending && first.missing === '_last'
}
