import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogOptions } from '../runtime.ts'

const reading = { chunkBytes: 65_536, tailBytesMax: 8 * 1024 * 1024, pollMs: 200 } as const

/** The last lines of a file, and, when following, each new one; goes over to the new file when the log is set aside. */
export async function* followFile(path: string, options: LogOptions): AsyncGenerator<string> {
  if (!existsSync(path) && !options.follow) return
  let descriptor = await openWhenThere(path, options.signal)
  if (descriptor === undefined) return
  try {
    const size = fstatSync(descriptor).size
    let position = Math.max(0, size - reading.tailBytesMax)
    const tail = readFrom(descriptor, position, size)
    // Where the file is longer, the first of it is the rest of a line.
    const lines = tail
      .toString('utf8')
      .split('\n')
      .slice(position > 0 ? 1 : 0)
    position = size
    let partial = lines.pop() ?? ''
    if (options.lines > 0) yield* lines.slice(-options.lines)
    if (!options.follow && partial !== '') yield partial
    while (options.follow && !options.signal?.aborted) {
      const grown = readFrom(descriptor, position, fstatSync(descriptor).size)
      position += grown.length
      const pieces = (partial + grown.toString('utf8')).split('\n')
      partial = pieces.pop() ?? ''
      yield* pieces
      if (grown.length > 0) continue
      if (existsSync(path) && statSync(path).ino !== fstatSync(descriptor).ino) {
        closeSync(descriptor)
        descriptor = openSync(path, 'r')
        position = 0
      } else await pause(options.signal)
    }
  } finally {
    closeSync(descriptor)
  }
}

async function openWhenThere(path: string, signal: AbortSignal | undefined): Promise<number | undefined> {
  while (!existsSync(path)) {
    if (signal?.aborted) return undefined
    await pause(signal)
  }
  return openSync(path, 'r')
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(reading.pollMs, undefined, signal ? { signal } : {})
  } catch (thrown) {
    if (!signal?.aborted) throw thrown
  }
}

function readFrom(descriptor: number, from: number, to: number): Buffer {
  const chunks: Buffer[] = []
  let position = from
  while (position < to) {
    const chunk = Buffer.alloc(Math.min(reading.chunkBytes, to - position))
    const read = readSync(descriptor, chunk, 0, chunk.length, position)
    if (read === 0) break
    chunks.push(chunk.subarray(0, read))
    position += read
  }
  return Buffer.concat(chunks)
}
