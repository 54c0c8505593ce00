import { checkinRequestSchema } from '@logstack/contracts'
import { describe, expect, it } from 'vitest'
import { UnitStates } from './unit-states.ts'

const input = { component: 'file', type: 'input' } as const

describe('UnitStates', () => {
  it('tells of a changed status, not of a changed message', () => {
    let told = 0
    const states = new UnitStates(() => {
      told += 1
    })
    states.report('a', { ...input, status: 'HEALTHY', message: 'following 1 files' })
    states.report('a', { ...input, status: 'HEALTHY', message: 'following 2 files' })
    expect(told).toBe(1)
    states.report('a', { ...input, status: 'DEGRADED', message: 'cannot read' })
    expect(told).toBe(2)
  })

  it('stays online without a source, and shows which one is missing', () => {
    const states = new UnitStates(() => undefined)
    states.report('a', { ...input, status: 'HEALTHY', message: 'fine' })
    states.report('b', { ...input, component: 'journald', status: 'DEGRADED', message: 'this host keeps no journal' })
    expect([states.status, states.message]).toEqual(['online', 'Running'])
    expect(states.components().map(({ id, status }) => ({ id, status }))).toEqual([
      { id: 'file', status: 'HEALTHY' },
      { id: 'journald', status: 'DEGRADED' },
    ])
  })

  it('is degraded while an input has failed or events cannot be sent, and says which', () => {
    const states = new UnitStates(() => undefined)
    states.report('a', { ...input, status: 'FAILED', message: 'broken' })
    expect([states.status, states.message]).toEqual(['degraded', 'a: broken'])
    states.forgetInputs()
    expect(states.status).toBe('online')
    states.report('default', { component: 'logstack', type: 'output', status: 'DEGRADED', message: '9 events wait' })
    expect([states.status, states.message]).toEqual(['degraded', 'default: 9 events wait'])
  })
})

it('an agent of thousands of files tells of its outputs and of those that are not well, and its check-in is small', () => {
  const states = new UnitStates(() => undefined)
  const long = 'x'.repeat(5_000)
  for (let n = 0; n < 5_000; n += 1)
    states.report(`file-${n}`, {
      component: `input-${n % 400}`,
      type: 'input',
      status: n === 4_000 ? 'FAILED' : 'HEALTHY',
      message: long,
    })
  states.report('output', { component: 'output', type: 'output', status: 'HEALTHY', message: 'Healthy' })
  const components = states.components()
  const units = components.flatMap(({ units: own }) => own ?? [])
  expect(units).toHaveLength(256)
  expect(units.map(({ id }) => id)).toEqual(expect.arrayContaining(['output', 'file-4000']))
  expect(components.length).toBeLessThanOrEqual(256)
  const few = components.filter(({ id }) => id.startsWith('input-'))
  expect(new Set(few.map(({ units_total }) => units_total))).toEqual(new Set([12, 13]))
  expect(components.find(({ id }) => id === 'output')?.units_total).toBeUndefined()
  const request = { status: states.status, message: states.message.slice(0, 4_096), components }
  expect(checkinRequestSchema.safeParse(request).success).toBe(true)
  expect(JSON.stringify(request).length).toBeLessThan(512 * 1_024)
})
