import { cidrBounds, formatIp, parseIp } from '@logstack/rules'
import { namedNetworks, networksAllBut } from '../../ingest/processors/network-direction.ts'
import { join, type Sql, sql, str } from '../../sql/sql.ts'
import { defineFunction, type EsqlFunction } from '../define-function.ts'
import { stringTypes, wholeTypes } from '../types.ts'
import { nullOf, refuse, type Value } from '../value.ts'
import { bound, listOf } from './one-type.ts'

/** The first and the last address of a block, or of a single address; undefined for what is neither. */
function boundsOf(block: string): { readonly first: string; readonly last: string } | undefined {
  if (block.includes('/')) return cidrBounds(block)
  const address = parseIp(block)
  return address === undefined ? undefined : { first: formatIp(address), last: formatIp(address) }
}

/** Whether an address (`a`) lies in a block that stands in the query. */
function within(at: Value, block: unknown, text: string): Sql {
  const bounds = typeof block === 'string' ? boundsOf(block) : undefined
  if (!bounds) return refuse(at, `invalid CIDR [${String(block)}] in [${text}]`)
  return sql`(a BETWEEN toIPv6(${str(bounds.first)}) AND toIPv6(${str(bounds.last)}))`
}

/** Whether an address (`a`) lies in one of the blocks of a list of texts; what is no block holds none. */
function withinSome(blocks: Sql): Sql {
  const address = sql`toIPv6OrNull(p[1])`
  const most = sql`if(position(p[1], ':') > 0, 128, 32)`
  const bits = sql`if(length(p) = 1, ${most}, ifNull(toUInt8OrNull(p[2]), 255))`
  // Addresses of four bytes are the last of the greater space.
  const wide = sql`toUInt8(least(128, ${bits} + 128 - ${most}))`
  const range = sql`IPv6CIDRToRange(ifNull(${address}, toIPv6('::')), ${wide})`
  const holds = sql`(isNotNull(${address}) AND length(p) <= 2 AND ${bits} <= ${most} AND a BETWEEN (${range}).1 AND (${range}).2)`
  return sql`arrayExists(p -> ${holds}, arrayMap(c -> splitByChar('/', c), ${blocks}))`
}

const cidrMatch = defineFunction({
  name: 'cidr_match',
  params: [
    { name: 'ip', types: ['ip'] },
    { name: 'blockX', types: stringTypes, many: true, rest: true },
  ],
  compile({ sql: [address = nullOf('ip')], values: [, ...blocks], text }) {
    const conditions = blocks.flatMap((block) => {
      const { literal } = block
      if (literal === undefined || literal === null) return [withinSome(listOf(block))]
      return (Array.isArray(literal) ? literal : [literal]).map((each) => within(block, each, text))
    })
    const held = sql`if(isNull(a), NULL, (${join(conditions, ' OR ')}))`
    return { type: 'boolean', sql: bound(address, sql`a`, held) }
  },
})

const ipPrefix = defineFunction({
  name: 'ip_prefix',
  params: [
    { name: 'ip', types: ['ip'] },
    { name: 'prefixLengthV4', types: wholeTypes },
    { name: 'prefixLengthV6', types: wholeTypes },
  ],
  compile({ sql: [address = nullOf('ip'), v4 = nullOf('integer'), v6 = nullOf('integer')] }) {
    const isFour = sql`(ifNull(a, toIPv6('::')) BETWEEN toIPv6('::ffff:0.0.0.0') AND toIPv6('::ffff:255.255.255.255'))`
    const isKnown = sql`(isNotNull(a) AND f BETWEEN 0 AND 32 AND s BETWEEN 0 AND 128)`
    const bits = sql`toUInt8(if(${isFour}, 96 + bitAnd(ifNull(f, 0), 63), bitAnd(ifNull(s, 0), 255)))`
    const prefix = sql`IPv6CIDRToRange(ifNull(a, toIPv6('::')), least(${bits}, toUInt8(128))).1`
    return {
      type: 'ip',
      sql: sql`arrayMap((a, f, s) -> if(ifNull(${isKnown}, false), ${prefix}, NULL), [${address}], [${v4}], [${v6}])[1]`,
    }
  },
})

/** Whether an address (`a`) lies in a network, by its name or its block. */
function inside(at: Value, network: string, text: string): Sql {
  const others = networksAllBut.get(network)
  if (others)
    return sql`(NOT (${join(
      others.map((other) => inside(at, other, text)),
      ' OR ',
    )}))`
  const blocks = namedNetworks.get(network) ?? [network]
  return sql`(${join(
    blocks.map((block) => within(at, block, text)),
    ' OR ',
  )})`
}

const networkDirection = defineFunction({
  name: 'network_direction',
  params: [
    { name: 'source_ip', types: ['ip'] },
    { name: 'destination_ip', types: ['ip'] },
    { name: 'internal_networks', types: stringTypes, constant: true },
  ],
  compile({ sql: [source = nullOf('ip'), destination = nullOf('ip')], values: [, , networks], text }) {
    const { literal } = networks ?? {}
    const names = (Array.isArray(literal) ? literal : [literal]).map(String)
    const isInside = networks
      ? join(
          names.map((name) => inside(networks, name, text)),
          ' OR ',
        )
      : sql`false`
    const own = (address: Sql) => sql`arrayMap(a -> if(isNull(a), NULL, (${isInside})), [${address}])`
    const direction = sql`multiIf(isNull(f) OR isNull(t), NULL, f AND t, 'internal', f, 'outbound', t, 'inbound', 'external')`
    return { type: 'keyword', sql: sql`arrayMap((f, t) -> ${direction}, ${own(source)}, ${own(destination)})[1]` }
  },
})

/** Functions of addresses of the Internet. */
export const addressFunctions: readonly EsqlFunction[] = [cidrMatch, ipPrefix, networkDirection]
