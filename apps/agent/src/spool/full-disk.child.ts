// Run by full-disk.int.test.ts in a small file system: fills it, then lets the spool go on, and prints what came out.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Spool } from './spool.ts'

const folder = process.argv[2] ?? ''
const ballast = join(folder, 'ballast')
const signal = new AbortController().signal
const count = 400
const all = { recordsMax: 50, bytesMax: 10_000_000 }
const spool = Spool.open(join(folder, 'spool'), { bytesMax: 100_000_000, segmentBytesMax: 64_000 })

let appended = 0
const filling = (async () => {
  for (let line = 0; line < count; line += 1) {
    const event = { message: `${line} ${'x'.repeat(8_000)}` }
    await spool.append([{ data_stream: { type: 'logs', dataset: 'test' }, event, source: 's', bookmark: line }], signal)
    appended = line + 1
  }
})()
// Other programs have used up the rest of the disk.
writeFileSync(ballast, Buffer.alloc(1_000_000, 1))
await new Promise((resolve) => setTimeout(resolve, 500))
const whileFull = appended
const lackedRoom = spool.lacksRoom
const seen: string[] = []
const take = (): void => {
  for (let batch = spool.peek(all); batch; batch = spool.peek(all)) {
    seen.push(...batch.records.map((record) => String(record.event['message']).split(' ')[0] ?? ''))
    spool.acknowledge(batch)
  }
}
take()
rmSync(ballast)
while (seen.length < count) {
  await new Promise((resolve) => setTimeout(resolve, 50))
  take()
}
await filling
spool.close()
process.stdout.write(
  JSON.stringify({
    whileFull,
    lackedRoom,
    lacksRoom: spool.lacksRoom,
    inOrder: seen.every((line, index) => line === String(index)),
    seen: seen.length,
  }),
)
