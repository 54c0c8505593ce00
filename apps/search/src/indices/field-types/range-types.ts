import { addressBounds, type Bounds, encodeSpan, type SpanKind, type Value } from '@logstack/rules'
import { z } from 'zod'
import type { ResolvedField } from '../model.ts'
import { dateField, dateFormatParameter } from './date.ts'
import { defineFieldType, type FieldType } from './define-field-type.ts'
import { doubleField } from './double.ts'
import { ipField } from './ip.ts'
import { illegalValue, readLeaf } from './leaf.ts'
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
    throw illegalValue(
      `error parsing field [${field.path}], expected an object but got ${Array.isArray(leaf) ? 'START_ARRAY' : String(leaf)}`,
    )
  const bounds: Record<string, Value> = {}
  for (const [end, given] of Object.entries(leaf)) {
    if (!ends.has(end)) throw illegalValue(`error parsing field [${field.path}], with unknown parameter [${end}]`)
    if (given === null) continue
    const read = endTypes[kind].parse(given, field)
    if ('value' in read) bounds[end] = read.value
  }
  return bounds
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
      const span = encodeSpan(boundsOf(leaf, field, kind), kind)
      if (span === undefined) throw illegalValue(`min value is greater than max value in [${field.path}]`)
      return span
    }),
    queryValue: (given, field) => endTypes[kind].queryValue(given, field),
    show: String,
    showLeaf: (leaf) => leaf,
  })
}

/** The six range types: the first and the last value of each range, searched by how they lie to a query's. */
export const rangeFieldTypes: readonly FieldType[] = (Object.keys(kinds) as (keyof typeof kinds)[]).map(defineRange)
