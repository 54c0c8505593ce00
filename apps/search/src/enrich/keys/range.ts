import { encodeSpan, type SpanKind } from '@logstack/rules'
import { fieldTypeOf } from '../../indices/field-types/index.ts'
import { spanKindOf } from '../../indices/field-types/range-types.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { unfit } from '../../refusals/unfit.ts'
import type { Keying, TableShape } from './keying.ts'

const bitsOf = (kind: SpanKind): number => (kind === 'ip' ? 128 : 64)

/** A piece of `2^size` values, named by the bits they share. */
const pieceKey = (value: bigint, size: number): string => `${size}:${(value >> BigInt(size)).toString(36)}`

/** The fewest pieces, each of a power of two at a multiple of itself, that make up a range: at most two of a size. */
function pieces(low: bigint, high: bigint, bits: number): { readonly at: bigint; readonly size: number }[] {
  const found: { at: bigint; size: number }[] = []
  for (let at = low; at <= high; ) {
    let size = 0
    while (size < bits && at % (1n << BigInt(size + 1)) === 0n && at + (1n << BigInt(size + 1)) - 1n <= high) size += 1
    found.push({ at, size })
    at += 1n << BigInt(size)
  }
  return found
}

function known(shape: TableShape): { readonly field: ResolvedField; readonly kind: SpanKind } {
  const kind = shape.field && spanKindOf(shape.field.wireType)
  if (!shape.field || !kind) throw new Error('BUG: a table of ranges without its mapping')
  return { field: shape.field, kind }
}

/** `range`: values that lie in a range of numbers, dates or addresses. */
export const rangeKeying: Keying = {
  fieldOf(path, field) {
    if (field && spanKindOf(field.wireType)) return field
    throw unfit(`Field '${path}' has type [${field?.wireType ?? 'object'}] which doesn't appear to be a range type`)
  },
  rowKeys(value, shape) {
    const { field, kind } = known(shape)
    const read = fieldTypeOf(field.wireType).parse(value, field)
    if (!('value' in read)) return { keys: [] }
    const [low = '', high = ''] = String(read.value).split('~')
    const found = pieces(BigInt(low), BigInt(high), bitsOf(kind))
    return { keys: found.map(({ at, size }) => pieceKey(at, size)), sizes: found.map(({ size }) => size) }
  },
  lookupKeys(value, shape) {
    const { field, kind } = known(shape)
    const point = fieldTypeOf(field.wireType).queryValue(value, field)
    const [place = '0'] = encodeSpan({ gte: point, lte: point }, kind)?.split('~') ?? []
    return (shape.sizes ?? []).map((size) => pieceKey(BigInt(place), size))
  },
  values: (given) => [given].flat(Number.POSITIVE_INFINITY).filter((each) => each !== null && each !== undefined),
  relates: false,
}
