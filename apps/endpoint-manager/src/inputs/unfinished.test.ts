import { expect, test } from 'vitest'
import { BodyRoom } from './body-room.ts'
import { Unfinished } from './unfinished.ts'

const kib = 1024
const roomFor = (kibibytes: number) => new BodyRoom({ bytesMax: kibibytes * kib, shareBytesMax: kibibytes * kib })

test('small messages cost no room, larger ones all that they have', () => {
  const room = roomFor(256)
  const large = new Unfinished(room, 'a')
  large.keep(256 * kib)
  const small = new Unfinished(room, 'b')
  small.keep(64 * kib)
  expect(() => small.keep(65 * kib)).toThrow('too many')
  large.keep(100 * kib)
  small.keep(128 * kib)
  expect(() => large.keep(129 * kib)).toThrow('too many')
  large.keep(0)
  small.keep(256 * kib)
})

test('what grows is counted once', () => {
  const room = roomFor(256)
  const growing = new Unfinished(room, 'a')
  for (let bytes = 0; bytes <= 256 * kib; bytes += 1_000) growing.keep(bytes)
  growing.keep(0)
  new Unfinished(room, 'b').keep(256 * kib)
})
