import { expect, test } from 'vitest'
import { coverageOf } from './attack-coverage.ts'
import { tactics, techniques } from './attack-techniques.ts'

test('a rule counts once for a technique, with all its sub-techniques, and only while it runs', () => {
  const coverage = coverageOf([
    { state: 'running', tags: ['attack.t1059', 'attack.t1059.001', 'attack.execution', 'attack.T1105'] },
    { state: 'running', tags: ['attack.t1059.003', 'cve.2021-1'] },
    { state: 'off', tags: ['attack.t1003'] },
    { state: 'running' },
  ])
  expect(Object.fromEntries(coverage)).toEqual({ T1059: 2, T1105: 1 })
})

test('every technique has a number, a name and tactics of the matrix', () => {
  const codes = tactics.map(({ code }) => code)
  expect(new Set(techniques.map(({ id }) => id)).size).toBe(techniques.length)
  for (const { id, name, tactics: served } of techniques) {
    expect(id).toMatch(/^T\d{4}$/)
    expect(name).not.toBe('')
    expect(served.filter((code) => !codes.includes(code))).toEqual([])
  }
})
