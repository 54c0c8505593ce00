import { visibleSql } from '../documents/visibility.ts'
import type { IndexMeta } from '../model/index-meta.ts'
import type { Services } from '../services.ts'
import { ident, join, num, sql } from '../sql/sql.ts'
import { type EventIndex, earlyShare } from './retention-plan.ts'
import { rolledOverAtMs } from './rollover.ts'

type Context = Pick<Services, 'engine' | 'catalogue' | 'documents' | 'store' | 'now'>

const limits = { timeMsMax: 600_000, memoryBytesMax: 1024 ** 3 }

/** Whether an index holds events: it has times, and is not the stack's own state. */
function holdsEvents({ name, dataStream, mapping }: IndexMeta): boolean {
  if (name.startsWith('.') && (dataStream === undefined || dataStream.startsWith('.'))) return false
  const type = mapping.properties?.['@timestamp']?.type
  return type === 'date' || type === 'date_nanos'
}

/** Whether writes by another name than its own go to an index: the newest of a data stream, the write index of an alias. */
function isWrittenByName({ name, dataStream, aliases }: IndexMeta, { catalogue }: Pick<Context, 'catalogue'>): boolean {
  if (dataStream !== undefined) return catalogue.dataStream(dataStream)?.indices.at(-1) === name
  return Object.values(aliases).some(({ is_write_index }) => is_write_index === true)
}

interface Times {
  readonly documents: number
  readonly oldestMs: number
  readonly newestMs: number
  readonly earlyMs: number
}

/** Counts and times of the events of indices, one statement a table. */
async function readTimes(indices: readonly IndexMeta[], context: Context): Promise<ReadonlyMap<number, Times>> {
  const times = new Map<number, Times>()
  const now = num(context.now())
  for (const id of new Set(indices.map(({ table }) => table))) {
    const table = context.catalogue.table(id)
    await context.documents.shown([id])
    const wanted = indices.filter((index) => index.table === id).map((index) => num(index.id))
    const rows = await context.engine.rows(
      sql`SELECT _index, count(), min(least(_time, ${now})), max(least(_time, ${now})),
        quantile(${num(earlyShare)})(least(_time, ${now})) FROM ${ident(table.name)}
        WHERE _index IN (${join(wanted, ', ')}) AND ${visibleSql(context.documents.visibility(id))} GROUP BY _index`,
      { weight: 'heavy', limits },
    )
    for (const [index, documents, oldest, newest, early] of rows)
      times.set(Number(index), {
        documents: Number(documents),
        oldestMs: Number(oldest),
        newestMs: Number(newest),
        earlyMs: Number(early),
      })
  }
  return times
}

/** Every index that holds events, with what retention has to know of it; `maxAgeMs` says the age at which events of an index go. */
export async function eventIndices(
  context: Context,
  maxAgeMs: (index: IndexMeta) => number | undefined,
): Promise<EventIndex[]> {
  const indices = [...context.catalogue.indices()].filter(holdsEvents)
  const times = await readTimes(indices, context)
  const found: EventIndex[] = []
  for (const index of indices) {
    const madeMs = index.createdAtMs
    const { documents = 0, oldestMs = madeMs, newestMs = madeMs, earlyMs = oldestMs } = times.get(index.id) ?? {}
    const { bytes } = await context.documents.stats(index)
    const arrivedMs = rolledOverAtMs(index, context) ?? index.createdAtMs
    const isWritten = isWrittenByName(index, context)
    const { id, name } = index
    const span = { oldestMs, earlyMs, newestMs, arrivedMs }
    found.push({ id, name, documents, bytes, ...span, isWritten, maxAgeMs: maxAgeMs(index) })
  }
  return found.sort((a, b) => a.newestMs - b.newestMs)
}
