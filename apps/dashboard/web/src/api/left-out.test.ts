import { expect, it } from 'vitest'
import { leftOutOf } from './left-out.ts'

const whole = { timed_out: false, _shards: { failures: [] } }
const failing = (index: string, reason: string) => ({
  _shards: { failures: [{ index, reason: { type: 'illegal_argument_exception', reason } }] },
})

it('says nothing of whole answers', () => {
  expect(leftOutOf([whole, {}])).toBeUndefined()
})

it('names each index once, with its first reason', () => {
  expect(leftOutOf([failing('logs-b', 'x is a text'), whole, failing('logs-a', 'y'), failing('logs-b', 'z')])).toEqual({
    indices: [
      { name: 'logs-a', reason: 'y' },
      { name: 'logs-b', reason: 'x is a text' },
    ],
    isLate: false,
  })
})

it('tells of what came too late', () => {
  expect(leftOutOf([whole, { ...whole, timed_out: true }])).toEqual({ indices: [], isLate: true })
})
