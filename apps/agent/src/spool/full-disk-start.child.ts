// Run by full-disk-start.int.test.ts in a small file system: an agent's data directory whose disk was used up while the agent was away. Prints what came out.
import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { dataPaths, lockDataDirectory, makeDataDirectory, runningAgent } from '../data-directory.ts'
import { isDiskFull, writeDurably } from '../durable-file.ts'
import { freeReserve } from './disk-reserve.ts'
import { Spool } from './spool.ts'

const disk = process.argv[2] ?? ''
const ballast = join(disk, 'ballast')
const note = join(disk, 'note')
const pageBytes = 4_096
const paths = dataPaths(join(disk, 'agent'))
const limits = { bytesMax: 100_000_000, segmentBytesMax: 64_000 }
const all = { recordsMax: 7, bytesMax: 10_000_000 }
const signal = new AbortController().signal
const record = (line: number) => ({
  data_stream: { type: 'logs' as const, dataset: 'test' },
  event: { message: `${line} ${'x'.repeat(8_000)}` },
  source: 's',
  bookmark: line,
})

/** Other programs use up what the disk has, to the last byte. */
function useUp(): void {
  const file = openSync(ballast, 'a')
  for (let bytes = 1_048_576; bytes >= 1; ) {
    try {
      writeSync(file, Buffer.alloc(bytes, 1))
    } catch (thrown) {
      if (!isDiskFull(thrown)) throw thrown
      bytes = Math.floor(bytes / 2)
    }
  }
  closeSync(file)
}

/** Whether a file that fits in part is refused, and the one before is whole. */
function isWholeOrOld(): boolean {
  truncateSync(ballast, statSync(ballast).size - pageBytes)
  try {
    writeDurably(note, 'x'.repeat(3 * pageBytes))
    return false
  } catch (thrown) {
    return isDiskFull(thrown) && readFileSync(note, 'utf8') === 'before'
  } finally {
    useUp()
  }
}

const segments = (): number => readdirSync(paths.spool).filter((name) => name.endsWith('.segment')).length

makeDataDirectory(paths)
const before = Spool.open(paths.spool, limits)
for (let line = 0; line < 40; line += 1) await before.append([record(line)], signal)
before.close()
// Given back by the agent when it ended, and taken by others.
freeReserve(paths.spool)
writeDurably(note, 'before')
useUp()
const wholeOrOld = isWholeOrOld()

const lock = lockDataDirectory(paths)
const isLocked = readdirSync(paths.folder).includes('agent.lock')
const spool = Spool.open(paths.spool, limits)
const atStart = { id: spool.id === before.id, pending: spool.pending, lacksRoom: spool.lacksRoom, segments: segments() }
const seen: string[] = []
const take = (): void => {
  for (let batch = spool.peek(all); batch; batch = spool.peek(all)) {
    seen.push(...batch.records.map(({ event }) => String(event['message']).split(' ')[0] ?? ''))
    spool.acknowledge(batch)
    // What is given back is taken by others at once.
    useUp()
  }
}
take()
const sent = { count: seen.length, segments: segments() }
// A spool that is new, too: its name must be on disk before an event is.
const fresh = Spool.open(join(disk, 'agent', 'state'), limits)
const freshRefused = await fresh.append([record(0)], AbortSignal.timeout(100))
const adding = spool.append([record(40)], signal)
rmSync(ballast)
await adding
const freshAdded = await fresh.append([record(0)], signal)
const freshAgain = Spool.open(join(disk, 'agent', 'state'), limits)
take()
spool.close()
lock.release()
process.stdout.write(
  JSON.stringify({
    wholeOrOld,
    isLocked,
    isReleased: !readdirSync(paths.folder).includes('agent.lock'),
    isFree: runningAgent(paths) === undefined,
    atStart,
    sent,
    seen: seen.length,
    inOrder: seen.every((line, index) => line === String(index)),
    lacksRoom: spool.lacksRoom,
    fresh: [freshRefused, freshAdded, freshAgain.id === fresh.id, freshAgain.pending],
  }),
)
