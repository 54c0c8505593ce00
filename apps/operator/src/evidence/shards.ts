import { z } from 'zod'
import type { DoctorContext } from '../doctor/define-fault.ts'
import { askSearch } from './search-answers.ts'

/** A row of search's listing of shards. */
export interface ShardRow {
  readonly index: string
  readonly shard: string
  readonly prirep: 'p' | 'r'
  readonly state: string
  readonly unassignedReason: string
}

const rowsSchema = z.array(z.record(z.string(), z.string().nullable()))
const path = '/_cat/shards?format=json&expand_wildcards=all&h=index,shard,prirep,state,node,unassigned.reason&s=state'

/** Every shard of every index, hidden ones too. */
export async function shardRows(context: DoctorContext): Promise<ShardRow[]> {
  const rows = (await askSearch(context, { path, answer: rowsSchema })) ?? []
  return rows.map((row) => ({
    index: row['index'] ?? '',
    shard: row['shard'] ?? '',
    prirep: row['prirep'] === 'p' ? 'p' : 'r',
    state: row['state'] ?? '',
    unassignedReason: row['unassigned.reason'] ?? '',
  }))
}
