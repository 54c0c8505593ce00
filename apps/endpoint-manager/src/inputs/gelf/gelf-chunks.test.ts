import { expect, test } from 'vitest'
import { GelfChunks } from './gelf-chunks.ts'

/** A chunk of the message of a number. */
function chunk(message: number, sequence: number, count: number, bytes: Buffer): Buffer {
  const head = Buffer.from([0x1e, 0x0f, 0, 0, 0, 0, 0, 0, 0, 0, sequence, count])
  head.writeUInt32BE(message, 2)
  return Buffer.concat([head, bytes])
}

test('puts a message together in whatever order its chunks come', () => {
  const chunks = new GelfChunks(() => 0)
  expect(chunks.add(chunk(1, 1, 2, Buffer.from('b')))).toBeUndefined()
  expect(chunks.add(chunk(2, 0, 2, Buffer.from('c')))).toBeUndefined()
  expect(chunks.add(chunk(1, 0, 2, Buffer.from('a')))?.toString()).toBe('ab')
  expect(chunks.add(chunk(2, 1, 2, Buffer.from('d')))?.toString()).toBe('cd')
  expect(chunks.waitingBytes).toBe(0)
})

test('keeps no more than 32 MiB of messages that never become whole, and still takes those that do', () => {
  const chunks = new GelfChunks(() => 0)
  const large = Buffer.alloc(60_000)
  for (let message = 0; message < 200; message += 1)
    for (let sequence = 0; sequence < 10; sequence += 1) chunks.add(chunk(message, sequence, 128, large))
  expect(chunks.waitingBytes).toBeGreaterThan(16 * 1024 * 1024)
  expect(chunks.waitingBytes).toBeLessThan(33 * 1024 * 1024)
  chunks.add(chunk(1_000, 0, 2, Buffer.from('a')))
  expect(chunks.add(chunk(1_000, 1, 2, Buffer.from('b')))?.toString()).toBe('ab')
})

test('keeps of a datagram its own bytes, not the block that it came in', () => {
  const chunks = new GelfChunks(() => 0)
  const block = Buffer.alloc(262_144)
  const first = chunk(1, 0, 2, Buffer.from('a'))
  first.copy(block)
  chunks.add(block.subarray(0, first.length))
  block.fill(0)
  expect(chunks.add(chunk(1, 1, 2, Buffer.from('b')))?.toString()).toBe('ab')
})
