import { AppError, searchErrors } from '@logstack/errors'
import { parseIp, type ValueType } from '@logstack/rules'
import { canonicalIp } from '../../dsl/aggregations/bucket-key.ts'
import type { LowerContext } from '../../dsl/define-query.ts'
import { dateValue, exactValue, isDate, type SearchableField, searchable } from '../../dsl/shapes/field-value.ts'
import { geoField } from '../../dsl/shapes/geo.ts'
import type { SortCriterion, SortMode } from '../../dsl/sort/read-sort.ts'
import { findFieldType } from '../../indices/field-types/index.ts'
import { valuesRefusal } from '../../indices/field-types/values-refusal.ts'
import { printDouble } from '../../json/print-json.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import type { FieldColumns } from '../../sql/field-columns.ts'
import { distanceSql } from '../../sql/geo-to-sql.ts'
import { type ColumnLookup, columnsOf } from '../../sql/predicate-to-sql.ts'
import { ident, join, list, num, type Sql, sql } from '../../sql/sql.ts'
import { decodedWords, tokensOf, tokensOfMany } from '../../sql/text-tokens.ts'
import { literal, readDouble } from '../../sql/values.ts'
import { type LeafScore, plainScore, scoreValue } from '../leaves/score-leaf.ts'
import { type RowObject, sortColumns } from './nested-sort.ts'
import { asNumericType, refuseFormat, refuseNumericType, refuseTextMode } from './numeric-type.ts'
import type { OrderKey, SortValue } from './order-key.ts'
import { byVersion, versionColumns, versionLiteral } from './version-sort.ts'

const int64Max = 9_223_372_036_854_775_807n
const int64Min = -9_223_372_036_854_775_808n
const uint64Max = 18_446_744_073_709_551_615n

/** The order of arrival: the last criterion of every sort, so that no two documents are equal. */
export function arrivalKey(descending: boolean): OrderKey {
  const key = integerKey(ident('_seq'), descending, (value) => {
    if (!/^-?\d{1,19}$/u.test(String(value)))
      throw illegalArgument(`Failed to parse search_after value for field [_doc]`)
    return BigInt(String(value))
  })
  return { ...key, plain: true, numbers: 'unsigned' }
}

/** Makes the key of a criterion for one leaf. Throws when the field is unmapped or cannot be sorted by. */
export function orderKey(
  criterion: SortCriterion,
  context: LowerContext,
  lookup: ColumnLookup,
  score: LeafScore = 1,
  object?: RowObject,
): OrderKey {
  const { field: path, descending } = criterion
  if (path === '_doc' || path === '_shard_doc') return arrivalKey(descending)
  if (path === '_score') return scoreKey(descending, score)
  if (criterion.distance) return distanceKey(criterion, criterion.distance, context, lookup)
  if (criterion.script) return scriptKey(criterion, criterion.script, context, lookup)
  const mapped = context.field(path)
  const resolved = mapped ?? unmapped(criterion, context)
  if (resolved.wireType === 'geo_point')
    throw illegalArgument(
      `can't sort on geo_point or point field without using specific sorting feature, like geo_distance`,
    )
  const byWord = resolved.valueType === 'text'
  const refusal = valuesRefusal(resolved, context.reportedIndex)
  if (refusal !== undefined) throw illegalArgument(refusal)
  const field = searchable(resolved)
  // A field that is hidden from who asks counts as unmapped, and has a column all the same.
  const columns = mapped && sortColumns(criterion, field, context, lookup, object)
  const chosenValue = (found: FieldColumns) =>
    byWord ? oneWord(found, field, criterion.mode) : oneOf(found, field.valueType, criterion.mode)
  const ranked = columns && field.wireType === 'version' ? versionColumns(columns) : columns
  const value = ranked ? chosenValue(ranked) : nullOf(field.valueType)
  if (field.valueType === 'string' || field.valueType === 'text' || field.valueType === 'ip') {
    refuseTextMode(criterion, context.reportedIndex)
    refuseNumericType(criterion, field, context.reportedIndex)
    refuseFormat(criterion, field)
    return field.wireType === 'version'
      ? byVersion(textKey(value, field, criterion, versionLiteral))
      : textKey(value, field, criterion)
  }
  refuseFormat(criterion, field)
  const typed = asNumericType(value, field, criterion)
  return numberKey(typed.value, typed.field, criterion, context)
}

/** The order by distance; documents without a point are infinitely far. */
function distanceKey(
  { field: path, descending, mode }: SortCriterion,
  { from, metres, quiet }: NonNullable<SortCriterion['distance']>,
  context: LowerContext,
  lookup: ColumnLookup,
): OrderKey {
  const field = geoField(path, '_geo_distance', quiet, context)
  const columns = field && columnsOf({ path: field.path, type: 'string' }, lookup)
  const far = num(Number.POSITIVE_INFINITY)
  if (!columns) return doubleKey(far, descending)
  const away = (point: Sql) => list(from.map((start) => sql`${distanceSql(point, start)} / ${num(metres)}`))
  const one = sql`if(isNull(${columns.one}), CAST([], 'Array(Float64)'), ${away(columns.one)})`
  const all = columns.many
    ? sql`if(empty(${columns.many}), ${one}, arrayFlatten(arrayMap(x -> ${away(sql`x`)}, ${columns.many})))`
    : one
  const chosenOne = {
    min: sql`arrayMin(d)`,
    max: sql`arrayMax(d)`,
    sum: sql`arraySum(d)`,
    avg: sql`arrayAvg(d)`,
    median: sql`arrayAvg(d)`,
  }[mode]
  return doubleKey(sql`arrayMap(d -> if(empty(d), ${far}, ${chosenOne}), [${all}])[1]`, descending)
}

function scriptKey(
  criterion: SortCriterion,
  { source, valueType }: NonNullable<SortCriterion['script']>,
  context: LowerContext,
  lookup: ColumnLookup,
): OrderKey {
  const { path } = context.computed.scripted(source, valueType)
  const wireType = valueType === 'string' ? 'keyword' : 'double'
  const field: SearchableField = { path, wireType, valueType, parameters: {}, sourcePath: path }
  const value = lookup({ path, type: valueType })?.one ?? nullOf(valueType)
  return valueType === 'string' ? textKey(value, field, criterion) : numberKey(value, field, criterion, context)
}

function unmapped({ field, unmappedType }: SortCriterion, context: LowerContext): ResolvedField {
  if (unmappedType === undefined)
    throw new AppError(searchErrors.query_shard_exception, `No mapping found for [${field}] in order to sort on`, {
      detail: { index: context.reportedIndex },
    })
  const type = findFieldType(unmappedType)
  if (!type) throw illegalArgument(`No mapper found for type [${unmappedType}]`)
  return { path: field, wireType: unmappedType, valueType: type.valueType ?? 'long', parameters: {}, sourcePath: field }
}

function oneOf(columns: FieldColumns, type: ValueType, mode: SortMode): Sql {
  const { one, many } = columns
  if (!many) return one
  return sql`if(empty(${many}), ${one}, toNullable(${chosen(many, type, mode)}))`
}

/** The first or last of a text's words, where they count as its values. */
function oneWord({ one, many }: FieldColumns, { words }: ResolvedField, mode: SortMode): Sql {
  const found = many ? sql`arrayConcat(${tokensOf(one)}, ${tokensOfMany(many)})` : tokensOf(one)
  const held = words === undefined ? found : decodedWords(found)
  return sql`nullIf(${chosen(held, 'text', mode)}, '')`
}

function chosen(many: Sql, type: ValueType, mode: SortMode): Sql {
  if (mode === 'min') return sql`arraySort(${many})[1]`
  if (mode === 'max') return sql`arrayReverseSort(${many})[1]`
  if (type === 'double') {
    // Compensated, as Elasticsearch adds.
    const sum = sql`arrayReduce('sumKahan', ${many})`
    if (mode === 'sum') return sum
    if (mode === 'avg') return sql`${sum} / length(${many})`
    const sorted = sql`arraySort(${many})`
    return sql`(${sorted}[intDiv(length(${many}) + 1, 2)] + ${sorted}[intDiv(length(${many}) + 2, 2)]) / 2`
  }
  if (type !== 'unsigned') return chosenLong(many, mode)
  const exact = sql`arrayReduce('sum', arrayMap(x -> toInt128(x), ${many}))`
  if (mode === 'avg') return roundedQuotient(exact, sql`toInt128(length(${many}))`)
  if (mode === 'sum') return sql`toUInt64(arraySum(${many}))`
  const sorted = sql`arrayMap(x -> toInt128(x), arraySort(${many}))`
  const [lower, upper] = middle(many)
  return roundedQuotient(sql`(${sorted}[${lower}] + ${sorted}[${upper}])`, sql`toInt128(2)`)
}

/** The places of the one or two values in the middle of an ordered list. */
function middle(many: Sql): readonly [lower: Sql, upper: Sql] {
  return [sql`intDiv(length(${many}) + 1, 2)`, sql`intDiv(length(${many}) + 2, 2)`]
}

/** Signed whole numbers as Elasticsearch reckons with them: sums wrap around, what is divided was a double. */
function chosenLong(many: Sql, mode: 'sum' | 'avg' | 'median'): Sql {
  const sum = sql`toInt64(arraySum(${many}))`
  if (mode === 'sum') return sum
  if (mode === 'avg')
    return sql`if(length(${many}) = 1, ${sum}, ${javaRound(sql`toFloat64(${sum}) / length(${many})`)})`
  const sorted = sql`arraySort(${many})`
  const [lower, upper] = middle(many)
  const half = sql`(toFloat64(${sorted}[${lower}]) + toFloat64(${sorted}[${upper}])) / 2`
  return sql`if(length(${many}) % 2 = 1, toInt64(${sorted}[${lower}]), ${javaRound(half)})`
}

/** Beyond this a double has no fraction. */
const wholeFrom = 2 ** 52

/** Java's `Math.round` of a double: to the nearest, the greater of two as near, within the range of a long. */
function javaRound(value: Sql): Sql {
  const within = sql`if(abs(x) < ${num(wholeFrom)}, toInt64(floor(x + 0.5)), toInt64(x))`
  return sql`arrayMap(x -> if(x >= ${num(2 ** 63)}, toInt64(${num(int64Max)}), ${within}), [${value}])[1]`
}

/** The whole number next to a quotient, the greater of two as near. */
function roundedQuotient(over: Sql, under: Sql): Sql {
  const floored = sql`((2 * ${over} + ${under}) - positiveModulo(2 * ${over} + ${under}, 2 * ${under}))`
  return sql`toUInt64(intDiv(${floored}, 2 * ${under}))`
}

function nullOf(type: ValueType): Sql {
  if (type === 'string' || type === 'text') return sql`CAST(NULL, 'Nullable(String)')`
  if (type === 'ip') return sql`CAST(NULL, 'Nullable(IPv6)')`
  if (type === 'double') return sql`CAST(NULL, 'Nullable(Float64)')`
  return sql`CAST(NULL, 'Nullable(Int64)')`
}

function textKey(
  value: Sql,
  field: SearchableField,
  { descending, missing }: SortCriterion,
  literalOf = (given: SortValue) => literal(given ?? '', field.valueType),
): OrderKey {
  const replaced = missing !== '_first' && missing !== '_last'
  // An address is read first: the engine refuses what is none, or reads a cut one.
  const exact = (given: string) => (field.valueType === 'ip' ? String(exactValue(given, field)) : given)
  return {
    sql: replaced ? sql`ifNull(${value}, ${literalOf(exact(String(missing)))})` : value,
    descending,
    nullsFirst: missing === '_first',
    kind: 'text',
    ...(field.valueType === 'ip' ? { rank: (shown: SortValue) => parseIp(String(shown)) ?? 0n } : {}),
    read: (text) => (text !== null && field.valueType === 'ip' ? canonicalIp(text) : text),
    show: (shown) => JSON.stringify(shown),
    given: (after) => (after === null ? null : exact(String(after))),
    literal: literalOf,
  }
}

function numberKey(value: Sql, field: SearchableField, criterion: SortCriterion, context: LowerContext): OrderKey {
  const { descending, missing, format } = criterion
  const last = missing === '_last' ? !descending : descending
  const type = field.valueType
  const given = (after: unknown): SortValue => {
    if (after === null) return standsIn
    if (isDate(field) && typeof after === 'string')
      return dateValue(after, field, { nowMs: context.nowMs, format, roundUp: false })
    // What this order shows of dates and booleans, also of those that stand in for none: numbers, whatever the format of the field.
    const isShownPlain = isDate(field) || type === 'boolean'
    if (isShownPlain && (typeof after === 'number' || typeof after === 'bigint')) return clamped(after, 'long')
    // What stands for a missing one, as JSON shows it.
    if (type === 'double' && (after === 'Infinity' || after === '-Infinity')) return Number(after)
    const read = exactValue(after, field)
    return typeof read === 'boolean' ? Number(read) : clamped(read, type)
  }
  const standsIn = missing === '_last' || missing === '_first' ? extreme(field, last) : given(missing)
  const plain = type === 'boolean' ? sql`toInt64(${value})` : value
  return {
    ...(type === 'double' ? doubleKey(plain, descending) : integerKey(plain, descending, given)),
    sql: sql`ifNull(${plain}, ${num(Number.isFinite(Number(standsIn)) && typeof standsIn !== 'string' ? (standsIn ?? 0) : Number(standsIn))})`,
    given,
    show: (shown) => showNumber(shown, field, format),
    numbers: type === 'double' || type === 'unsigned' ? type : 'signed',
  }
}

const intTypes = new Set(['integer', 'short', 'byte'])

function extreme({ valueType: type, wireType }: SearchableField, high: boolean): number | bigint {
  if (intTypes.has(wireType)) return high ? 2 ** 31 - 1 : -(2 ** 31)
  if (type === 'double') return high ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
  if (type === 'unsigned') return high ? uint64Max : 0n
  // Nanoseconds are counted from 1970 on.
  if (type === 'date_nanos' && !high) return 0n
  return high ? int64Max : int64Min
}

/** JSON readers round the stand-ins of missing values away from the 64-bit range; they come back as these. */
function clamped(value: string | number | bigint, type: ValueType): SortValue {
  if (type === 'double' || typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value)))
    return value
  const whole = typeof value === 'bigint' ? value : BigInt(Math.trunc(value))
  const [low, high] = type === 'unsigned' ? [0n, uint64Max] : [int64Min, int64Max]
  return whole < low ? low : whole > high ? high : whole
}

function showNumber(value: SortValue, field: SearchableField, format: string | undefined): string {
  if (value === null) return 'null'
  if (field.valueType === 'double') return printDouble(Number(value))
  if (value === int64Max || value === int64Min) return format !== undefined && isDate(field) ? 'null' : String(value)
  const type = format === undefined ? undefined : findFieldType(field.wireType)
  return type && isDate(field) ? JSON.stringify(type.show(value, field, format)) : String(value)
}

function integerKey(value: Sql, descending: boolean, given: (after: unknown) => SortValue): OrderKey {
  return {
    sql: value,
    descending,
    nullsFirst: false,
    kind: 'number',
    read(text) {
      const exact = BigInt(text ?? '0')
      return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
    },
    show: String,
    given,
    literal: (shown) => num(typeof shown === 'string' ? BigInt(shown) : (shown ?? 0)),
  }
}

function doubleKey(value: Sql, descending: boolean): OrderKey {
  return {
    sql: value,
    descending,
    nullsFirst: false,
    kind: 'number',
    numbers: 'double',
    read: readDouble,
    show: (shown) => printDouble(Number(shown)),
    given: Number,
    literal: (shown) => num(Number(shown)),
  }
}

/** The order by score. */
export function scoreKey(descending: boolean, score: LeafScore): OrderKey {
  const literal = (shown: SortValue) => sql`toFloat32(${num(Number(shown))})`
  const key = { ...doubleKey(scoreValue(score), descending), literal }
  if (typeof score !== 'number') return key
  const known = plainScore(score)
  return { ...key, constant: true, ...(known === undefined ? {} : { known }) }
}

/** The keys as what follows ORDER BY; the last key of every order is never constant. */
export function orderBy(keys: readonly OrderKey[]): Sql {
  const ordering = keys.filter(({ constant }) => constant !== true)
  const terms = ordering.map(
    (key) =>
      sql`${key.sql} ${key.descending ? sql`DESC` : sql`ASC`}${key.kind === 'text' ? (key.nullsFirst ? sql` NULLS FIRST` : sql` NULLS LAST`) : sql``}`,
  )
  return join(terms, ', ')
}

/** Rows that come after the given values: the first key that differs decides. */
export function afterValues(keys: readonly OrderKey[], values: readonly SortValue[]): Sql {
  const steps = values.flatMap((value, at) => {
    const key = keys[at]
    return key ? [comparison(key, value)] : []
  })
  const alternatives = steps.map(
    ({ later }, at) => sql`(${join([...steps.slice(0, at).map(({ same }) => same), later], ' AND ')})`,
  )
  return sql`(${join(alternatives, ' OR ')})`
}

function comparison(key: OrderKey, value: SortValue): { readonly same: Sql; readonly later: Sql } {
  if (value === null)
    return { same: sql`isNull(${key.sql})`, later: key.nullsFirst ? sql`isNotNull(${key.sql})` : sql`0` }
  const shown = key.literal(value)
  const beyond = key.descending ? sql`${key.sql} < ${shown}` : sql`${key.sql} > ${shown}`
  const later =
    key.kind === 'text' && !key.nullsFirst
      ? sql`(ifNull(${beyond}, 0) OR isNull(${key.sql}))`
      : sql`ifNull(${beyond}, 0)`
  return { same: sql`ifNull(${key.sql} = ${shown}, 0)`, later }
}

/** Orders two rows by the same keys. */
export function compareRows(keys: readonly OrderKey[], a: readonly SortValue[], b: readonly SortValue[]): number {
  for (const [at, key] of keys.entries()) {
    const order = compareSortValues(a[at] ?? null, b[at] ?? null, key)
    if (order !== 0) return order
  }
  return 0
}

function compareSortValues(one: SortValue, other: SortValue, key: OrderKey): number {
  if (one === null || other === null) return one === other ? 0 : (one === null) === key.nullsFirst ? -1 : 1
  const [a, b] = key.rank ? [key.rank(one), key.rank(other)] : [one, other]
  const order =
    typeof a === 'string' && typeof b === 'string'
      ? Buffer.compare(Buffer.from(a), Buffer.from(b))
      : a < b
        ? -1
        : a > b
          ? 1
          : 0
  return key.descending ? -order : order
}
