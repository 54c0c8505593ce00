import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { addressBounds, type Bounds, encodeSpan, type SpanKind, type Value } from '@logstack/rules'
import { z } from 'zod'
import { defaultDateFormat } from '../../dates/date-format.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { dateField, dateFormatParameter } from './date.ts'
import { defineFieldType, type FieldType, type ParsedLeaf } from './define-field-type.ts'
import { doubleField } from './double.ts'
import { ipField } from './ip.ts'
import { illegalValue, ofPart, readLeaf } from './leaf.ts'
import { longField } from './long.ts'
import { flag, indexingParameters } from './parameters.ts'

const kinds = {
  integer_range: 'long',
  long_range: 'long',
  float_range: 'double',
  double_range: 'double',
  date_range: 'date',
  ip_range: 'ip',
} as const satisfies Readonly<Record<string, SpanKind>>

/** What the ends of a field of that wire type are; undefined for every type that is no range. */
export function spanKindOf(wireType: string): SpanKind | undefined {
  return Object.hasOwn(kinds, wireType) ? kinds[wireType as keyof typeof kinds] : undefined
}

const endTypes: Readonly<Record<SpanKind, FieldType>> = {
  long: longField,
  double: doubleField,
  date: dateField,
  ip: ipField,
}
const ends = new Set(['gt', 'gte', 'lt', 'lte'])

/** The bounds of a range of a document. Throws for what is no range of the field's kind. */
function boundsOf(leaf: unknown, field: ResolvedField, kind: SpanKind): Bounds {
  if (kind === 'ip' && typeof leaf === 'string') {
    const block = addressBounds(leaf)
    if (!block) throw illegalValue(`'${leaf}' is not an IP string literal.`)
    return block
  }
  if (leaf === null || typeof leaf !== 'object' || Array.isArray(leaf))
    throw notARange(`error parsing field [${field.path}], expected an object but got ${field.path.split('.').at(-1)}`)
  const bounds: Record<string, Value> = {}
  for (const [end, given] of Object.entries(leaf)) {
    if (!ends.has(end))
      throw ofPart(notARange(`error parsing field [${field.path}], with unknown parameter [${end}]`), given)
    if (given === null) continue
    const read = readEnd(given, field, kind)
    if ('value' in read) bounds[end] = read.value
  }
  return bounds
}

function notARange(reason: string): AppError {
  return new AppError(searchErrors.document_parsing_exception, reason)
}

/** Dates are read as queries read them. */
function readEnd(given: unknown, field: ResolvedField, kind: SpanKind): ParsedLeaf {
  try {
    return endTypes[kind].parse(given, field)
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    if (kind !== 'date') throw ofPart(thrown, given)
    const format = String(field.parameters['format'] ?? defaultDateFormat)
    const reason = `failed to parse date field [${String(given)}] with format [${format}]: [${thrown.message}]`
    throw ofPart(new AppError(searchErrors.parse_exception, reason, { cause: thrown }), given)
  }
}

/** A range as it was written, its ends as values of their type. */
function shownRange(leaf: unknown, format: string | undefined, field: ResolvedField, type: FieldType): unknown {
  if (typeof leaf !== 'object' || leaf === null) return leaf
  const shown = Object.entries(leaf).map(([end, given]) => {
    const read = type.parse(given, field)
    return [end, 'value' in read ? type.show(read.value, field, format) : given]
  })
  return Object.fromEntries(shown)
}

function defineRange(name: keyof typeof kinds): FieldType {
  const kind = kinds[name]
  return defineFieldType({
    name,
    family: name,
    valueType: 'string',
    aggregatable: true,
    parameters: z.strictObject({
      ...indexingParameters,
      coerce: flag.optional(),
      ...(kind === 'date' ? { format: dateFormatParameter, locale: z.string().optional() } : {}),
    }),
    parse: readLeaf((leaf, field) => {
      const bounds = boundsOf(leaf, field, kind)
      const span = encodeSpan(bounds, kind)
      if (span === undefined) {
        const [low, high] = [bounds.gte ?? bounds.gt, bounds.lte ?? bounds.lt]
        throw ofPart(illegalValue(`min value (${low}) is greater than max value (${high})`), null)
      }
      return span
    }),
    queryValue: (given, field) => endTypes[kind].queryValue(given, field),
    show: String,
    showLeaf: (leaf, format, field) => shownRange(leaf, format, field, endTypes[kind]),
  })
}

/** The six range types: the first and the last value of each range, searched by how they lie to a query's. */
export const rangeFieldTypes: readonly FieldType[] = (Object.keys(kinds) as (keyof typeof kinds)[]).map(defineRange)
