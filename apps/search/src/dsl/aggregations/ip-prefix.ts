import { z } from 'zod'
import { illegalArgument } from '../../refusals/refuse.ts'
import { num, type Sql, sql } from '../../sql/sql.ts'
import { defineAggregation, type FoundBucket } from '../define-aggregation.ts'
import { flag, whole } from '../shapes/scalars.ts'
import { canonicalIp } from './bucket-key.ts'
import { requireField, unsupportedType } from './metric-cells.ts'

/** `ip_prefix`: a bucket a network of addresses. Only addresses of the family that `is_ipv6` names count. */
export const ipPrefix = defineAggregation({
  name: 'ip_prefix',
  kind: 'bucket',
  schema: z.strictObject({
    field: z.string().optional(),
    prefix_length: whole.optional(),
    is_ipv6: flag.optional(),
    append_prefix_length: flag.optional(),
    keyed: flag.optional(),
    min_doc_count: whole.optional(),
  }),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  plan(parameters, source) {
    const { prefix_length: length = -1, is_ipv6: six = false, min_doc_count: least = 1 } = parameters
    const longest = six ? 128 : 32
    if (length < 0 || length > longest)
      throw illegalArgument(`[prefix_length] must be in range [0, ${longest}] while value is [${length}]`)
    const field = source.field(requireField(parameters.field))
    if (field.type !== undefined && field.type !== 'ip') throw unsupportedType(field, 'ip_prefix')
    const ofFamily = (value: Sql) => {
      const mapped = sql`startsWith(IPv6NumToString(${value}), '::ffff:')`
      return six ? sql`NOT ${mapped}` : mapped
    }
    const network = (value: Sql) => sql`tupleElement(IPv6CIDRToRange(${value}, ${num(length + (six ? 0 : 96))}), 1)`
    const known = sql`assumeNotNull(${field.sql})`
    const key = field.many
      ? sql`arrayMap(x -> ${network(sql`x`)}, arrayFilter(x -> ${ofFamily(sql`x`)}, ${field.sql}))`
      : sql`if(isNotNull(${field.sql}) AND ${ofFamily(known)}, toNullable(${network(known)}), NULL)`
    return {
      parts: [
        {
          sql: field.type === undefined ? sql`CAST(NULL, 'Nullable(IPv6)')` : key,
          many: field.many,
          type: 'ip' as const,
        },
      ],
      minimumCount: least,
      render(found) {
        const buckets = found.map((bucket) => rendered(bucket, length, six, parameters.append_prefix_length === true))
        if (parameters.keyed !== true) return { buckets }
        return { buckets: Object.fromEntries(buckets.map(({ key: name, ...bucket }) => [name, bucket])) }
      },
    }
  },
})

function rendered({ key, count, body }: FoundBucket, length: number, six: boolean, append: boolean) {
  const address = canonicalIp(String(key[0]))
  const mask = (2n ** 32n - 1n) ^ (2n ** BigInt(32 - Math.min(length, 32)) - 1n)
  const netmask = [24n, 16n, 8n, 0n].map((shift) => String((mask >> shift) & 255n)).join('.')
  return {
    key: append ? `${address}/${length}` : address,
    is_ipv6: six,
    doc_count: count,
    prefix_length: length,
    ...(six ? {} : { netmask }),
    ...body,
  }
}
