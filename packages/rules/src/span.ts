import { cidrBounds, formatIp, parseIp } from './ip.ts'
import type { Bounds, SpanKind, SpanRelation, Value } from './predicate.ts'

const longOffset = 1n << 63n
const places = { long: 20, double: 20, date: 20, ip: 39 } as const
const greatest = { long: (1n << 64n) - 1n, double: (1n << 64n) - 1n, date: (1n << 64n) - 1n, ip: (1n << 128n) - 1n }

/** The number of digits each end has in the text of a range. */
export function spanDigits(kind: SpanKind): number {
  return places[kind]
}

/** The place of a value in the order of its kind, from 0. */
function ordinal(value: Value, kind: SpanKind): bigint {
  if (kind === 'ip') return parseIp(String(value)) ?? 0n
  if (kind !== 'double') return (typeof value === 'bigint' ? value : BigInt(Math.trunc(Number(value)))) + longOffset
  const bytes = new DataView(new ArrayBuffer(8))
  bytes.setFloat64(0, Number(value) === 0 ? 0 : Number(value))
  const bits = bytes.getBigUint64(0)
  // Negative doubles lie the other way round.
  return bits >= longOffset ? (1n << 64n) - 1n - bits : bits + longOffset
}

/** A range as text whose ends compare as texts do: the first and the last value, `~` between them. An empty range is undefined. */
export function encodeSpan(bounds: Bounds, kind: SpanKind): string | undefined {
  const low =
    bounds.gte !== undefined ? ordinal(bounds.gte, kind) : bounds.gt !== undefined ? ordinal(bounds.gt, kind) + 1n : 0n
  const high =
    bounds.lte !== undefined
      ? ordinal(bounds.lte, kind)
      : bounds.lt !== undefined
        ? ordinal(bounds.lt, kind) - 1n
        : greatest[kind]
  if (low > high) return undefined
  const digits = (value: bigint) => String(value).padStart(places[kind], '0')
  return `${digits(low)}~${digits(high)}`
}

/** Whether a range of a document lies to a query's as the relation says; both as `encodeSpan` writes them. */
export function spansRelate(own: string, query: string, relation: SpanRelation): boolean {
  const [low = '', high = ''] = own.split('~')
  const [from = '', to = ''] = query.split('~')
  if (relation === 'contains') return low <= from && high >= to
  if (relation === 'within') return low >= from && high <= to
  return low <= to && high >= from
}

/** The bounds of an address block (`10.0.0.0/8`) or of one address; undefined when the text is neither. */
export function addressBounds(text: string): Bounds | undefined {
  const block = cidrBounds(text)
  if (block) return { gte: block.first, lte: block.last }
  const address = parseIp(text)
  return address === undefined ? undefined : { gte: formatIp(address), lte: formatIp(address) }
}
