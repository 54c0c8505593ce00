import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { dateFormat, type TimeZone } from '../../dates/date-format.ts'
import { contentError, illegalArgument, memberError, parsingError, readStrictly } from '../../refusals/refuse.ts'
import { join, num, type Sql, sql } from '../../sql/sql.ts'
import { literal } from '../../sql/values.ts'
import { tooManyBucketsAsked } from '../bucket-limit.ts'
import {
  type BucketColumns,
  type BucketSpan,
  defineAggregation,
  type KeyPart,
  type RowField,
  type RowSource,
} from '../define-aggregation.ts'
import { exactValue, isDate, mappedDateFormat, searchable } from '../shapes/field-value.ts'
import { flag, scalar, whole } from '../shapes/scalars.ts'
import { fieldKey, plainKey, showDate } from './bucket-key.ts'
import { tilePart, tileSourceSchema } from './composite-geotile.ts'
import { dateIntervalSchema, dateKey, roundingOf } from './date-histogram.ts'
import { numberIntervalSchema, numberKey } from './histogram.ts'
import { aggregatable, numberField, requireField } from './metric-cells.ts'
import { spanOf } from './rate-length.ts'

const common = {
  order: z.enum(['asc', 'desc']).optional(),
  missing_bucket: flag.optional(),
  missing_order: z.enum(['first', 'last', 'default']).optional(),
}
const termsSource = z.strictObject({
  field: z.string(),
  format: z.string().optional(),
  value_type: z.string().optional(),
  ...common,
})
const sourceTypes = new Set(['terms', 'date_histogram', 'histogram', 'geotile_grid'])
const tileSource = tileSourceSchema.extend(common)
const dateSource = dateIntervalSchema.extend(common)
const numberSource = numberIntervalSchema.extend(common)
type Common = z.infer<z.ZodObject<typeof common>>

/** A source of a composite key: how rows get their part, how it is shown, and how the text of `after` is read back. */
interface Source {
  readonly name: string
  readonly part: KeyPart
  readonly order: Common
  /** How long a stretch of time is that is its key. */
  readonly span?: BucketSpan
  show(raw: unknown): unknown
  /** The raw key of a shown one. */
  raw(shown: z.infer<typeof scalar>): string | number | bigint | boolean
}

/** `composite`: all combinations of its sources' values, page by page. */
export const composite = defineAggregation({
  name: 'composite',
  kind: 'bucket',
  schema: z.strictObject({
    sources: z.array(z.record(z.string(), z.record(z.string(), z.unknown())), { error: 'Required [sources]' }),
    size: whole.optional(),
    after: z.record(z.string(), scalar.nullable()).optional(),
  }),
  uses: ({ sources }) => ({
    fields: sources.flatMap((each) =>
      Object.values(each).flatMap((typed) => Object.values(typed).flatMap((body) => fieldOfBody(body))),
    ),
  }),
  check({ sources }) {
    if (sources.length === 0) {
      const empty = illegalArgument('Composite [sources] cannot be null or empty')
      throw memberError(
        'composite',
        'sources',
        contentError('Failed to build [composite] after last required field arrived', empty),
      )
    }
    for (const source of sources)
      for (const typed of Object.values(source))
        for (const type of Object.keys(typed))
          if (!sourceTypes.has(type))
            throw memberError('composite', 'sources', parsingError(`invalid source type: ${type}`))
  },
  plan({ sources: written, size = 10, after }, source, _prepared, name) {
    if (size <= 0) throw illegalArgument(`[size] must be greater than 0. Found [${size}] in [${name}]`)
    if (size > source.bucketsMax) throw tooManyBucketsAsked(source.bucketsMax, size)
    const sources = written.map((each) => readSource(each, source))
    const names = sources.map(({ name }) => name)
    const twice = names.find((name, at) => names.indexOf(name) !== at)
    if (twice !== undefined)
      throw illegalArgument(`Composite source names must be unique, found duplicates: [${twice}]`)
    const given = after && givenKey(sources, after, name)
    return {
      parts: sources.map(({ part }) => part),
      spans: sources.flatMap(({ span }, part) => (span ? [{ part, span }] : [])),
      size,
      order: (columns) => sources.map(({ order }, at) => orderOf(order, columns.keys[at] ?? sql`1`)),
      after: (columns) => given && afterKey(sources, given, columns),
      render(found) {
        const buckets = found.map(({ key, count, body }) => ({
          key: Object.fromEntries(sources.map(({ name, show }, at) => [name, key[at] === null ? null : show(key[at])])),
          doc_count: count,
          ...body,
        }))
        const last = buckets.at(-1)
        return { ...(last ? { after_key: last.key } : {}), buckets }
      },
    }
  },
})

function fieldOfBody(body: unknown): string[] {
  if (body === null || typeof body !== 'object') return []
  const { field }: { field?: unknown } = body
  return typeof field === 'string' ? [field] : []
}

function readSource(written: Readonly<Record<string, Readonly<Record<string, unknown>>>>, source: RowSource): Source {
  const [named, second] = Object.entries(written)
  if (!named || second) throw parsingError('[composite] failed to parse field [sources]: a source has one name')
  const [name, typed] = named
  const [kind, other] = Object.entries(typed)
  if (!kind || other) throw parsingError(`[composite] the source [${name}] has one type`)
  const [type, body] = kind
  if (type === 'terms') return termsOf(name, readStrictly(termsSource, body, 'terms', 'aggregation'), source)
  if (type === 'date_histogram')
    return datesOf(name, readStrictly(dateSource, body, 'date_histogram', 'aggregation'), source)
  if (type === 'histogram') return numbersOf(name, readStrictly(numberSource, body, 'histogram', 'aggregation'), source)
  if (type === 'geotile_grid') {
    const read = readStrictly(tileSource, body, 'geotile_grid', 'aggregation')
    const { part, show, raw } = tilePart(read, source)
    return { name, part: keyPart(part, read), order: read, show, raw }
  }
  throw new Error(`BUG: a source of composite of the type ${type} was not refused`)
}

function termsOf(name: string, body: z.infer<typeof termsSource>, source: RowSource): Source {
  const field = aggregatable(source.field(body.field))
  const dates = field.type === 'date' || field.type === 'date_nanos'
  return {
    name,
    part: keyPart(fieldKey(field), body),
    order: body,
    show: (raw) => (dates ? shownDate(Number(raw), field, body.format) : plainKey(raw, field.type)),
    raw: (shown) =>
      dates ? dateOf(shown, field, body.format) : field.field ? exactValue(shown, searchable(field.field)) : shown,
  }
}

function datesOf(name: string, body: z.infer<typeof dateSource>, source: RowSource): Source {
  const field = source.field(requireField(body.field))
  const { rounding, zone } = roundingOf(body)
  return {
    name,
    part: keyPart(dateKey(field, rounding), body),
    order: body,
    span: spanOf(rounding),
    show: (raw) => shownDate(rounding.startOf(Number(raw)), field, body.format, zone),
    raw: (shown) => rounding.rawOf(dateOf(shown, field, body.format, zone)),
  }
}

function numbersOf(name: string, body: z.infer<typeof numberSource>, source: RowSource): Source {
  const values = numberField(source, requireField(body.field), 'histogram')
  return {
    name,
    part: keyPart(numberKey(values, body.interval ?? 0, body.offset ?? 0), body),
    order: body,
    show: (raw) => plainKey(raw, 'double'),
    raw: readNumber,
  }
}

function keyPart(part: KeyPart, { missing_bucket: keepsNull }: Common): KeyPart {
  return keepsNull === true ? { ...part, keepsNull } : part
}

function shownDate(ms: number, field: RowField, format: string | undefined, zone?: TimeZone): unknown {
  return format === undefined ? ms : showDate(ms, field, format, zone)
}

function dateOf(shown: z.infer<typeof scalar>, field: RowField, format: string | undefined, zone?: TimeZone): number {
  if (typeof shown === 'number') return shown
  const resolved = field.field
  const pattern =
    format !== undefined
      ? dateFormat(format)
      : resolved && isDate(resolved)
        ? mappedDateFormat(resolved)
        : dateFormat('epoch_millis')
  const instant = pattern.parse(String(shown), zone ? { zone } : {})
  if (!instant)
    throw illegalArgument(`failed to parse the after key [${String(shown)}] with format [${pattern.pattern}]`)
  return instant.ms
}

function nullsFirst({ order, missing_order: placed = 'default' }: Common): boolean {
  return placed === 'first' || (placed === 'default' && order !== 'desc')
}

function orderOf(order: Common, key: Sql): Sql {
  return sql`${key} ${order.order === 'desc' ? sql`DESC` : sql`ASC`} NULLS ${nullsFirst(order) ? sql`FIRST` : sql`LAST`}`
}

/** The raw key that `after` names, a part a source. */
function givenKey(
  sources: readonly Source[],
  after: Readonly<Record<string, z.infer<typeof scalar> | null>>,
  name: string,
): (Sql | null)[] {
  const count = Object.keys(after).length
  if (count !== sources.length)
    throw illegalArgument(`[after] has ${count} value(s) but [sources] has ${sources.length}`)
  return sources.map((source, at) => {
    const shown = after[source.name]
    if (shown === undefined) throw illegalArgument(`Missing value for [after.${source.name}]`)
    if (shown === null && source.part.keepsNull !== true)
      throw illegalArgument(`Invalid value for [after.${source.name}], expected comparable, got [null]`)
    try {
      return shown === null ? null : keyLiteral(source, shown)
    } catch (thrown) {
      if (!isAppError(thrown)) throw thrown
      const reason = `Cannot set after key in the composite aggregation [${name}] - incompatible value in the position ${at}: ${thrown.message}`
      throw new AppError(searchErrors.parse_exception, reason)
    }
  })
}

/** Keys after the given one: the first differing part decides. */
function afterKey(sources: readonly Source[], after: readonly (Sql | null)[], columns: BucketColumns): Sql {
  const given = sources.map((source, at) => {
    const value = after[at] ?? null
    const key = columns.keys[at] ?? sql`1`
    if (value === null) {
      const rest = nullsFirst(source.order) ? sql`isNotNull(${key})` : sql`0`
      return { same: sql`isNull(${key})`, later: rest }
    }
    const beyond = source.order.order === 'desc' ? sql`${key} < ${value}` : sql`${key} > ${value}`
    const nulls =
      source.part.keepsNull === true && !nullsFirst(source.order)
        ? sql`(ifNull(${beyond}, 0) OR isNull(${key}))`
        : sql`ifNull(${beyond}, 0)`
    return { same: sql`ifNull(${key} = ${value}, 0)`, later: nulls }
  })
  const alternatives = given.map(
    ({ later }, at) => sql`(${join([...given.slice(0, at).map(({ same }) => same), later], ' AND ')})`,
  )
  return sql`(${join(alternatives, ' OR ')})`
}

function keyLiteral({ part, raw }: Source, shown: z.infer<typeof scalar>): Sql {
  if ((part.type === 'string' || part.type === 'ip') && typeof shown !== 'string')
    throw illegalArgument(`invalid value, expected string, got ${javaKind(shown)}`)
  const read = raw(shown)
  const value = part.type === 'double' ? num(Number(read)) : literal(read, part.type)
  return part.order?.rank(value) ?? value
}

/** What Java calls a number or a boolean of JSON. */
function javaKind(given: z.infer<typeof scalar>): string {
  if (typeof given === 'boolean') return 'Boolean'
  if (!Number.isInteger(Number(given))) return 'Double'
  return Math.abs(Number(given)) < 2 ** 31 ? 'Integer' : 'Long'
}

function readNumber(shown: z.infer<typeof scalar>): number {
  const read = Number(shown)
  if (Number.isNaN(read)) throw illegalArgument(`For input string: "${String(shown)}"`)
  return read
}
