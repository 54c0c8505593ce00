import type { ValueType } from '@logstack/rules'
import type { Slice } from '../dsl/slice.ts'
import { illegalArgument } from '../refusals/refuse.ts'
import { idBytes, murmur3 } from '../sql/murmur3.ts'
import { join, num, type Sql, sql } from '../sql/sql.ts'
import { singleValue } from './hits/collapse-field.ts'
import type { PlanServices } from './leaves/leaf-request.ts'
import type { Leaf } from './leaves/leaves.ts'

/** The seed of Elasticsearch's hash of ids. */
const idSeed = 7919

/**
 * The leaves with only the rows of a slice, chosen as Elasticsearch does: by shard where an index has several (rows have none here, their routing says
 * which it would be), within one by the hash of the id. Slices by another field are parts of a hash of its values.
 */
export function sliced(
  services: Pick<PlanServices, 'catalogue'>,
  leaves: readonly Leaf[],
  slice: Slice | undefined,
): readonly Leaf[] {
  if (!slice) return leaves
  const { field, id, max } = slice
  return leaves.map((leaf) => {
    const hash =
      field === undefined || field === '_id' ? murmur3(idBytes(sql`_id`), idSeed) : numberHash(services, leaf, field)
    const byShards = new Map<number, Sql[]>()
    for (const index of leaf.indices) {
      const shards = Math.max(1, Number(index.settings['number_of_shards'] ?? 1))
      byShards.set(shards, [...(byShards.get(shards) ?? []), num(index.id)])
    }
    const parts = [...byShards].map(
      ([shards, ids]) => sql`(_index IN (${join(ids, ', ')}) AND ${inSlice({ id, max }, shards, hash)})`,
    )
    const own = sql`(${join(parts, ' OR ')})`
    if (leaf.condition) return { ...leaf, condition: sql`${leaf.condition} AND ${own}` }
    return { ...leaf, condition: own, part: `${field ?? '_id'} ${id}/${max}` }
  })
}

const numeric = new Set<ValueType | undefined>(['boolean', 'date', 'date_nanos', 'double', 'long', 'unsigned'])

function numberHash(services: Pick<PlanServices, 'catalogue'>, leaf: Leaf, path: string): Sql {
  const field = leaf.context.field(path)
  if (!field) throw illegalArgument(`field ${path} not found`)
  if (!numeric.has(field.valueType) || field.wireType.startsWith('_'))
    throw illegalArgument(`cannot load numeric doc values on ${path}`)
  return sql`sipHash64(${singleValue(services, leaf, field)})`
}

/** Whether a row of an index of so many shards is in a slice. */
function inSlice({ id, max }: Pick<Slice, 'id' | 'max'>, shards: number, hash: Sql): Sql {
  const part = (of: number, which: number) => sql`positiveModulo(${hash}, ${num(of)}) = ${num(which)}`
  if (shards === 1) return part(max, id)
  const shard = sql`positiveModulo(${murmur3(utf16(sql`if(_routing = '', _id, _routing)`), 0)}, ${num(shards)})`
  if (max < shards) return sql`${shard} % ${num(max)} = ${num(id)}`
  const target = id % shards
  const slicesOfShard = Math.floor(max / shards) + (max % shards > target ? 1 : 0)
  const ofShard = sql`${shard} = ${num(target)}`
  return slicesOfShard === 1 ? ofShard : sql`${ofShard} AND ${part(slicesOfShard, Math.floor(id / shards))}`
}

/** The UTF-16 form of a text of ASCII; of other texts bytes that stand for it as well. */
function utf16(text: Sql): Sql {
  return sql`arrayStringConcat(arrayMap(c -> concat(c, char(0)), splitByString('', ${text})))`
}
