import { expect, it } from 'vitest'
import { InputLosses } from './input-losses.ts'

it('are counted by input and place until they are taken', () => {
  const losses = new InputLosses(() => Date.parse('2026-11-22T03:30:00Z'))
  losses.lost('syslog', 'kernel', 3)
  losses.lost('syslog', 'queue', 5)
  losses.lost('syslog', 'kernel', 4)
  expect(losses.take().map(({ index, document }) => [index, document['logstack']])).toEqual([
    ['metrics-logstack.inputs-default', { input: { name: 'syslog', place: 'kernel', lost: 7 } }],
    ['metrics-logstack.inputs-default', { input: { name: 'syslog', place: 'queue', lost: 5 } }],
  ])
  expect(losses.take()).toEqual([])
})
