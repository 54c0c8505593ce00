// Run by power-cut.int.test.ts on a disk whose power is cut: inputs without an end, which count on behind their bookmarks and never come in the same order twice, and a server that takes what is
// handed out. Says on standard output, in JSON lines, what the server got, before it acknowledges it.
import { writeSync } from 'node:fs'
import { Spool } from './spool.ts'

const signal = new AbortController().signal
const segmentBytesMax = 4_000
const spool = Spool.open(process.argv[2] ?? '', { bytesMax: 60_000, segmentBytesMax })

async function input(source: string): Promise<never> {
  for (let number = Number(spool.bookmark(source) ?? -1) + 1; ; ) {
    const records = Array.from({ length: 1 + Math.floor(Math.random() * 7) }, (_, at) => ({
      data_stream: { type: 'logs' as const, dataset: 'test' },
      event: { message: `${source} ${number + at}` },
      source,
      bookmark: number + at,
    }))
    await spool.append(records, signal)
    number += records.length
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 2))
  }
}

async function server(): Promise<never> {
  for (;;) {
    await spool.waitForRecords(signal)
    const batch = spool.peek({ recordsMax: 40, bytesMax: 100_000 })
    if (!batch) continue
    const got = batch.records.map(({ offset, event }) => [offset, event['message']])
    writeSync(1, `${JSON.stringify({ spool: spool.id, got })}\n`)
    await new Promise((resolve) => setImmediate(resolve))
    spool.acknowledge(batch)
  }
}

await Promise.all([...['a', 'b', 'c'].map(input), server()])
