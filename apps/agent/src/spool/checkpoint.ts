import { join } from 'node:path'
import { z } from 'zod'
import { isDiskFull, readJsonFile, writeDurably } from '../durable-file.ts'
import { freeReserve, keepReserve } from './disk-reserve.ts'

const checkpointSchema = z.object({
  version: z.literal(1),
  /** Names this life of the spool: part of every document id. */
  spool: z.string(),
  /** The first record not yet acknowledged: its segment, the byte in it, its offset. */
  sent: z.object({ segment: z.number(), position: z.number(), offset: z.number() }),
  /** Where each input goes on, as of offset `through`; later records carry newer ones. */
  bookmarks: z.record(z.string(), z.unknown()),
  through: z.number(),
})

/** What the spool remembers outside its segments. */
export type Checkpoint = z.infer<typeof checkpointSchema>

const file = (folder: string): string => join(folder, 'checkpoint.json')

/** The checkpoint of a spool's folder; undefined when the spool is new. */
export function readCheckpoint(folder: string): Checkpoint | undefined {
  return readJsonFile(file(folder), checkpointSchema)
}

/** Writes the checkpoint where there is room for it; what is kept in reserve stays for `writeCheckpoint`. The caller has synced every record below `through`. */
export function writeCheckpointIfRoom(folder: string, checkpoint: Checkpoint): void {
  try {
    writeDurably(file(folder), JSON.stringify(checkpoint))
  } catch (thrown) {
    if (!isDiskFull(thrown)) throw thrown
  }
}

/** Writes the checkpoint durably, on a full disk too. The caller has synced every record below `through`. */
export function writeCheckpoint(folder: string, checkpoint: Checkpoint): void {
  const text = JSON.stringify(checkpoint)
  try {
    writeDurably(file(folder), text)
  } catch (thrown) {
    if (!isDiskFull(thrown)) throw thrown
    // Segments can only be deleted once this is written: it must not wait for the room they take.
    freeReserve(folder)
    writeDurably(file(folder), text)
    return
  }
  keepReserve(folder)
}
