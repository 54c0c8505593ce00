import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MessagePackReader } from './msgpack.ts'
import { MessagePackScanner } from './msgpack-scanner.ts'

const sizedBytes = (code: number, size: number, payload: Buffer, count = payload.length): Buffer => {
  const head = Buffer.alloc(1 + size)
  head[0] = code
  head.writeUIntBE(count, 1, size)
  return Buffer.concat([head, payload])
}
const filled = (length: number): Buffer => Buffer.alloc(length, 0xc1)
const leaf = fc.oneof(
  fc.constantFrom(0xc0, 0xc2, 0xc3, 0x00, 0x7f, 0xe0, 0xff).map((code) => Buffer.from([code])),
  fc.integer({ min: 0, max: 31 }).map((length) => Buffer.concat([Buffer.from([0xa0 + length]), filled(length)])),
  fc
    .record({
      form: fc.constantFrom<[number, number]>([0xc4, 1], [0xc5, 2], [0xc6, 4], [0xd9, 1], [0xda, 2], [0xdb, 4]),
      length: fc.integer({ min: 0, max: 200 }),
    })
    .map(({ form: [code, size], length }) => sizedBytes(code, size, filled(length))),
  fc
    .record({
      form: fc.constantFrom<[number, number]>([0xc7, 1], [0xc8, 2], [0xc9, 4]),
      length: fc.integer({ min: 0, max: 200 }),
    })
    .map(({ form: [code, size], length }) => sizedBytes(code, size, filled(length + 1), length)),
  fc
    .constantFrom<[number, number]>(
      ...([
        [0xca, 4],
        [0xcb, 8],
        [0xcc, 1],
        [0xcd, 2],
        [0xce, 4],
        [0xcf, 8],
      ] as [number, number][]),
      ...([
        [0xd0, 1],
        [0xd1, 2],
        [0xd2, 4],
        [0xd3, 8],
      ] as [number, number][]),
      ...([
        [0xd4, 2],
        [0xd5, 3],
        [0xd6, 5],
        [0xd7, 9],
        [0xd8, 17],
      ] as [number, number][]),
    )
    .map(([code, length]) => Buffer.from([code, ...filled(length)])),
)
const { value } = fc.letrec<{ value: Buffer }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc
      .record({ code: fc.constantFrom(0x90, 0xdc, 0xdd), inside: fc.array(tie('value'), { maxLength: 8 }) })
      .map(({ code, inside }) => opened(code, inside.length, inside)),
    fc
      .record({
        code: fc.constantFrom(0x80, 0xde, 0xdf),
        inside: fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 8 }),
      })
      .map(({ code, inside }) => opened(code, inside.length, inside.flat())),
  ),
}))

function opened(code: number, count: number, inside: Buffer[]): Buffer {
  const payload = Buffer.concat(inside)
  if (code < 0xc0) return Buffer.concat([Buffer.from([code + count]), payload])
  return sizedBytes(code, code % 2 === 0 ? 2 : 4, payload, count)
}

test('finds the end where the reader does, in whatever portions the bytes come', () => {
  fc.assert(
    fc.property(value, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (bytes, portions) => {
      const all = Buffer.concat([bytes, Buffer.from([0x01, 0xc0])])
      const reader = new MessagePackReader(all)
      reader.read()
      const scanner = new MessagePackScanner()
      let found: number | undefined
      for (let at = 0, turn = 0; found === undefined && at < all.length; turn += 1) {
        if (scanner.atLeast > reader.position) throw new Error(`asks for ${scanner.atLeast} of ${reader.position}`)
        at = Math.min(all.length, at + (portions[turn % portions.length] ?? 1))
        found = scanner.end(all.subarray(0, at))
        if (found !== undefined && at < found) throw new Error(`ends at ${found} of ${at}`)
      }
      expect(found).toBe(reader.position)
    }),
  )
})

test.each([
  ['no MessagePack', Buffer.from([0x91, 0xc1])],
  ['nested too deep', Buffer.alloc(100, 0x91)],
  ['too many values', Buffer.concat([Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff]), Buffer.alloc(1_000_001, 0xc0)])],
])('refuses %s', (message, bytes) => {
  expect(() => new MessagePackScanner().end(bytes)).toThrow(message)
})

test('knows a length as soon as it is said', () => {
  const scanner = new MessagePackScanner()
  expect(scanner.end(Buffer.from([0xc6, 0xff, 0xff, 0xff, 0xff]))).toBeUndefined()
  expect(scanner.atLeast).toBeGreaterThan(0xffff_ffff)
})
