import { expect, test } from 'vitest'
import { GrowingBuffer } from './growing-buffer.ts'

test('gives the bytes in order, through additions and removals of every size', () => {
  const buffer = new GrowingBuffer()
  let expected = ''
  for (let round = 0; round < 500; round += 1) {
    const text = String.fromCharCode(97 + (round % 26)).repeat((round * 37) % 500)
    buffer.add(Buffer.from(text))
    expected += text
    const taken = Math.floor((expected.length * ((round * 13) % 100)) / 100)
    buffer.drop(taken)
    expected = expected.slice(taken)
    expect(buffer.length).toBe(expected.length)
    if (round % 50 === 0) expect(buffer.bytes.toString()).toBe(expected)
  }
  buffer.drop(buffer.length)
  expect(buffer.bytes.toString()).toBe('')
})

test('copies each byte a bounded number of times, in one large message and in many that are taken', () => {
  const portion = Buffer.alloc(1_000, 1)
  const large = new GrowingBuffer()
  for (let added = 0; added < 4_000_000; added += portion.length) large.add(portion)
  expect(large.copied).toBeLessThan(3 * 4_000_000)
  const many = new GrowingBuffer()
  for (let added = 0; added < 4_000_000; added += portion.length) {
    many.add(portion)
    if (many.length > 200_000) many.drop(900)
  }
  expect(many.copied).toBeLessThan(3 * 4_000_000)
})
