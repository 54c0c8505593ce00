import type { Engine } from '../engine/engine.ts'
import { ident, join, num, type Sql, sql, str } from '../sql/sql.ts'
import type { CatalogueState, Purge } from './catalogue-state.ts'

/** Of its largest part, and in bytes beside: what has to be free for a partition to be rewritten. With less the engine would wait for ever. */
const roomOfPart = 1.2
const roomBytesMin = 128 * 1024 ** 2

interface PurgeJob {
  readonly statement: Sql
  readonly purges: readonly Purge[]
  /** Set when the whole table goes. */
  readonly table?: number
  /** Set when parts are rewritten without the rows, which takes space before it gives any. */
  readonly rewritten?: Partition
}

/**
 * Deletes the rows of indices that are gone, a partition or a table at a time where nothing else is left in it. What would have to be rewritten and finds no room
 * is left for later, when there is space or its whole partition goes; answers how many indices that are.
 */
export async function purgeRows(state: CatalogueState, engine: Engine): Promise<number> {
  for (;;) {
    const jobs = await purgeJobs(state)
    const job = await firstPossible(jobs, engine)
    if (job === undefined) return jobs.reduce((sum, { purges }) => sum + purges.length, 0)
    await engine.execute(job.statement, { slow: true })
    await state.exclusive(() =>
      state.commit(
        job.table === undefined ? { donePurges: job.purges } : { donePurges: job.purges, removedTables: [job.table] },
      ),
    )
  }
}

async function firstPossible(jobs: readonly PurgeJob[], engine: Engine): Promise<PurgeJob | undefined> {
  for (const job of jobs) if (job.rewritten === undefined || (await hasRoom(job.rewritten, engine))) return job
  return undefined
}

/** A partition of a table, by their names in the engine. */
export interface Partition {
  readonly table: string
  readonly slot: number
}

/** Whether the largest part of a partition can be written a second time, which deleting some of its rows does. */
export async function hasRoom({ table, slot }: Partition, engine: Pick<Engine, 'rows'>): Promise<boolean> {
  const [[largest, free] = []] = await engine.rows(
    sql`SELECT (SELECT max(bytes_on_disk) FROM system.parts WHERE database = currentDatabase() AND table = ${str(table)} AND partition = ${str(String(slot))} AND active),
      (SELECT unreserved_space FROM system.disks WHERE name = 'default')`,
  )
  return Number(largest) * roomOfPart + roomBytesMin <= Number(free)
}

/** What can be purged next: a table or a partition that goes whole, alone; or else all partitions that have to be rewritten. Looked up between changes, so that no index is being made in what is dropped. */
function purgeJobs(state: CatalogueState): Promise<readonly PurgeJob[]> {
  return state.exclusive(async () => {
    const waiting = [...state.purges.values()].filter(({ table }) => !state.keptTables.has(table))
    const rewritings: PurgeJob[] = []
    for (const [id, slots] of bySlot(waiting)) {
      const table = state.tables.get(id)
      const all = [...slots.values()].flat()
      if (table === undefined) return [{ statement: sql`SELECT 1`, purges: all }]
      const living = [...state.byId.values(), ...state.arriving.values()].filter((index) => index.table === id)
      const name = ident(table.name)
      if (living.length === 0) {
        // From here on no new index is put into it: `tableOf` makes a new table for the family.
        state.condemned.add(id)
        // Without SYNC the engine keeps the files of a dropped table for eight minutes.
        return [{ statement: sql`DROP TABLE IF EXISTS ${name} SYNC`, purges: all, table: id }]
      }
      for (const [slot, purges] of slots) {
        if (living.every((index) => index.slot !== slot))
          return [{ statement: sql`ALTER TABLE ${name} DROP PARTITION ${num(slot)}`, purges }]
        // All indices of the slot that are gone, in one rewriting of its parts. A lightweight DELETE would only mark the rows, and large parts
        // are never merged again, so their space would never come back.
        const gone = join(
          purges.map(({ index }) => num(index)),
          ', ',
        )
        const statement = sql`ALTER TABLE ${name} DELETE IN PARTITION ${num(slot)} WHERE _index IN (${gone})`
        rewritings.push({ statement, purges, rewritten: { table: table.name, slot } })
      }
    }
    return rewritings
  })
}

/** Purges by table and slot. */
function bySlot(purges: readonly Purge[]): ReadonlyMap<number, ReadonlyMap<number, Purge[]>> {
  const tables = new Map<number, Map<number, Purge[]>>()
  for (const purge of purges) {
    const slots = tables.get(purge.table) ?? new Map<number, Purge[]>()
    tables.set(purge.table, slots)
    const same = slots.get(purge.slot) ?? []
    slots.set(purge.slot, same)
    same.push(purge)
  }
  return tables
}
