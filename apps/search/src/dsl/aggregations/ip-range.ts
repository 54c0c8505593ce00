import { cidrBounds, formatIp, parseIp } from '@logstack/rules'
import { z } from 'zod'
import { illegalArgument, memberError, parsingError } from '../../refusals/refuse.ts'
import { list, sql, str } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { networkFault } from '../shapes/field-value.ts'
import { flag } from '../shapes/scalars.ts'
import { requireField, unsupportedType } from './metric-cells.ts'
import { checkRanges, rangesOf, renderRanges } from './range-buckets.ts'
import { type Comparison, rangeKey } from './range-key.ts'

const address = z.string().nullish()

interface IpSpan {
  readonly key: string
  /** As numbers of 128 bits. */
  readonly from: bigint | undefined
  readonly to: bigint | undefined
}

const addressEnd = 1n << 128n

/** Numbers of 128 bits are rounded as decimals alone. */
const addresses: Comparison<bigint> = {
  least: 0n,
  literal: (address) => sql`toIPv6(${str(formatIp(address))})`,
  rounded: (address) => sql`toDecimal256(toUInt128(${address}), 0)`,
  bounds: (bounds) => sql`CAST(${list(bounds.map((bound) => str(String(bound))))}, 'Array(Decimal(76, 0))')`,
}

/** `ip_range`: a bucket a span of addresses, `from` included and `to` excluded, or a network `mask`. */
export const ipRange = defineAggregation({
  name: 'ip_range',
  kind: 'bucket',
  schema: z.strictObject({
    field: z.string().optional(),
    ranges: rangesOf(
      z.strictObject({ key: z.string().optional(), from: address, to: address, mask: z.string().optional() }),
    ),
    keyed: flag.optional(),
  }),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  check({ ranges }) {
    for (const { mask } of ranges) if (mask !== undefined) checkMask(mask)
  },
  plan({ field: path, ranges, keyed }, source, _prepared, name) {
    checkRanges(ranges, name)
    const field = source.field(requireField(path))
    if (field.type !== undefined && field.type !== 'ip') throw unsupportedType(field, 'ip_range')
    const spans = ranges.map(({ key, from, to, mask }): IpSpan => {
      if (mask !== undefined) return masked(mask, key)
      const bounds = { from: numberOf(from), to: numberOf(to) }
      return { key: key ?? `${shown(bounds.from) ?? '*'}-${shown(bounds.to) ?? '*'}`, ...bounds }
    })
    const sorted = spans.sort(
      (a, b) => compare(a.from ?? 0n, b.from ?? 0n) || compare(a.to ?? addressEnd, b.to ?? addressEnd),
    )
    const rendered = sorted.map(({ key, from, to }) => ({
      key,
      shown: {
        ...(from === undefined ? {} : { from: formatIp(from) }),
        ...(to === undefined ? {} : { to: formatIp(to) }),
      },
    }))
    return {
      parts: [rangeKey(sorted, field, addresses)],
      render: (found, empty) => renderRanges(rendered, keyed === true, found, empty),
    }
  },
})

function shown(address: bigint | undefined): string | undefined {
  return address === undefined ? undefined : formatIp(address)
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function checkMask(mask: string): void {
  if (cidrBounds(mask)) return
  const reason = networkFault(mask) ?? `Expected [ip/prefix] but was [${mask}]`
  throw memberError('ip_range', 'ranges', illegalArgument(reason))
}

function masked(mask: string, key: string | undefined): IpSpan {
  const bounds = cidrBounds(mask)
  if (!bounds) throw parsingError(`Expected [ip/prefix] but was [${mask}]`)
  const end = (parseIp(bounds.last) ?? 0n) + 1n
  return { key: key ?? mask, from: numberOf(bounds.first), to: end === addressEnd ? undefined : end }
}

function numberOf(text: string | null | undefined): bigint | undefined {
  if (text === null || text === undefined) return undefined
  const parsed = parseIp(text)
  if (parsed === undefined) throw illegalArgument(`'${text}' is not an IP string literal.`)
  return parsed
}
