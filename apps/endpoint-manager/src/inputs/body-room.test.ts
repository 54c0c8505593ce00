import { expect, it } from 'vitest'
import { BodyRoom } from './body-room.ts'

const refusal = expect.objectContaining({ code: 'agent_limit_reached' })

it('refuses bodies beyond the limit until others are done, but never the only one', () => {
  const room = new BodyRoom({ bytesMax: 1_000, shareBytesMax: 1_000 })
  const leave = room.enter(5_000, 'a')
  expect(() => room.enter(1, 'b')).toThrow(refusal)
  leave()
  room.enter(600, 'a')
  const other = room.enter(400, 'b')
  expect(() => room.enter(1, 'c')).toThrow(refusal)
  other()
  room.enter(400, 'b')
})

it('gives one sender its share, and others what is left', () => {
  const room = new BodyRoom({ bytesMax: 1_000, shareBytesMax: 300 })
  const leave = room.enter(300, 'a')
  expect(() => room.enter(1, 'a')).toThrow(refusal)
  room.enter(300, 'b')
  leave()
  room.enter(200, 'a')
  room.enter(100, 'a')
  expect(() => room.enter(1, 'a')).toThrow(refusal)
})
