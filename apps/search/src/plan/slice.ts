import type { ValueType } from '@logstack/rules'
import { z } from 'zod'
import { illegalArgument } from '../dsl/shapes/refuse.ts'
import { whole } from '../dsl/shapes/scalars.ts'
import { idBytes, murmur3 } from '../sql/murmur3.ts'
import { join, num, type Sql, sql } from '../sql/sql.ts'
import { singleValue } from './collapse-field.ts'
import type { Leaf, PlanServices } from './leaves.ts'

/** The default of `index.max_slices_per_scroll`. */
const slicesMax = 1024

/** The seed of Elasticsearch's hash of ids. */
const idSeed = 7919

/** `slice`: one of several parts of a search that are read apart. */
export const sliceSchema = z
  .strictObject({ field: z.string().optional(), id: whole, max: whole })
  .transform((slice) => {
    const { id, max } = slice
    if (max <= 1) throw illegalArgument('max must be greater than 1')
    if (id < 0) throw illegalArgument('id must be greater than or equal to 0')
    if (id >= max) throw illegalArgument('max must be greater than id')
    if (max > slicesMax)
      throw illegalArgument(
        `The number of slices [${max}] is too large. It must be less than [${slicesMax}]. This limit can be set by changing the [index.max_slices_per_scroll] index level setting.`,
      )
    return slice
  })

/** A slice as it was read. */
export type Slice = z.infer<typeof sliceSchema>

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
