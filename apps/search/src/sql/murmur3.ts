import { num, type Sql, sql } from './sql.ts'

const toUnsigned = (value: Sql): Sql => sql`toUInt32(bitAnd(${value}, 4294967295))`
/** A block of four bytes before it goes into the hash. */
const scrambled = (block: Sql): Sql => {
  const rotated = sql`bitRotateLeft(${toUnsigned(sql`toUInt64(${block}) * 3432918353`)}, 15)`
  return toUnsigned(sql`toUInt64(${rotated}) * 461845907`)
}

/** MurmurHash3 (x86, 32 bits) of bytes as Lucene computes it, a signed number; `bytes` is evaluated several times. */
export function murmur3(bytes: Sql, seed: number): Sql {
  const words = sql`arrayMap(i -> reinterpretAsUInt32(substring(${bytes}, i * 4 + 1, 4)), range(intDiv(length(${bytes}), 4)))`
  const mixed = sql`bitRotateLeft(bitXor(h, ${scrambled(sql`k`)}), 13)`
  const folded = sql`arrayFold((h, k) -> ${toUnsigned(sql`toUInt64(${mixed}) * 5 + 3864292196`)}, ${words}, toUInt32(${num(seed)}))`
  const rest = sql`reinterpretAsUInt32(substring(${bytes}, intDiv(length(${bytes}), 4) * 4 + 1, 3))`
  const whole = sql`bitXor(bitXor(${folded}, ${scrambled(rest)}), toUInt32(length(${bytes})))`
  const first = sql`arrayMap(h -> ${toUnsigned(sql`toUInt64(bitXor(h, bitShiftRight(h, 16))) * 2246822507`)}, [${whole}])`
  const second = sql`arrayMap(h -> ${toUnsigned(sql`toUInt64(bitXor(h, bitShiftRight(h, 13))) * 3266489909`)}, ${first})`
  return sql`reinterpretAsInt32(arrayMap(h -> bitXor(h, bitShiftRight(h, 16)), ${second})[1])`
}

/** The bytes Lucene keeps of a document's id: digits two a byte, base64 decoded, all else as it is. */
export function idBytes(id: Sql): Sql {
  const digits = sql`concat(char(254), unhex(concat(${id}, if(length(${id}) % 2 = 1, 'f', ''))))`
  const decoded = sql`tryBase64URLDecode(${id})`
  const base64 = sql`concat(if(${decoded} >= char(253), char(253), ''), ${decoded})`
  const isBase64 = sql`match(${id}, '^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$')`
  return sql`multiIf(match(${id}, '^[0-9]+$'), ${digits}, ${isBase64}, ${base64}, concat(char(255), ${id}))`
}
