import { expect, test } from 'vitest'
import { whatHelps } from './disk-space.ts'

const mebibyte = 1024 ** 2
const old = { age: '60d', indices: 0, bytes: 0, events: 5_064 }
const sized = (bytes: number) => [
  { name: 'logs-a', bytes, events: 1 },
  { name: 'logs-b', bytes: 0, events: 2 },
]

test('events are offered where deleting all of them would be enough', () => {
  expect(whatHelps(sized(90 * mebibyte), [old], 80 * mebibyte)).toEqual({ choices: [old] })
})

test('where other files fill the disk, no event is offered, and the sizes are told', () => {
  expect(whatHelps(sized(18 * mebibyte), [old], 80 * mebibyte)).toEqual({
    choices: [],
    others: 'all events together take 18 MiB, and 80 MiB must become free: other files fill the disk',
  })
})

test('what search did not tell says nothing about others', () => {
  expect(whatHelps([], [], 80 * mebibyte)).toEqual({ choices: [] })
})
