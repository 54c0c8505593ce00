import { expect, it } from 'vitest'
import { memoryStore } from '../testing/memory-store.ts'
import { KeptValues, type Known, type KnownTable } from './kept-values.ts'
import { ValueSet } from './value-set.ts'

const known = (seq: number, values: 'many' | readonly string[]): Known => ({
  seq,
  values: values === 'many' ? values : new ValueSet(new Set(values)),
})
let nowMs = 0
const open = (store = memoryStore(), hadRestores = (_table: number) => false) =>
  new KeptValues(store, { hadRestores }, () => nowMs)
const table = (id: number, columns: Record<string, Known>): KnownTable => [id, new Map(Object.entries(columns))]

it('are what was known, and go with their table', async () => {
  const store = memoryStore()
  const kept = open(store)
  const columns = { level: known(9, ['info', 'warn']), id: known(-1, 'many') }
  await kept.keep([table(1, columns), table(2, columns)], new Set([1, 2]), 1)
  const later = open(store)
  expect(later.of(1)).toEqual(new Map(Object.entries(columns)))
  await later.keep([], new Set([2]), 1)
  expect(later.of(1)).toEqual(new Map())
  expect(later.of(2).size).toBe(2)
})

it('are written when as much would have to be read again', async () => {
  const store = memoryStore()
  const kept = open(store)
  const keep = (columns: Record<string, Known>, rowsMin: number) =>
    kept.keep([table(1, columns)], new Set([1]), rowsMin)
  await keep({ level: known(99, ['info']) }, 101)
  expect(kept.of(1)).toEqual(new Map())
  await keep({ level: known(99, ['info']) }, 100)
  expect(kept.of(1).get('level')?.seq).toBe(99)
  const version = store.collection('column_values').version()
  await keep({ level: known(99, ['info']) }, 1)
  expect(store.collection('column_values').version()).toBe(version)
  await keep({ level: known(100, 'many') }, 1)
  expect(kept.of(1).get('level')?.values).toBe('many')
})

it('are as they were before rows were restored, as these have lower numbers than others that were shown', async () => {
  const store = memoryStore()
  const restored = new Set<number>()
  const kept = open(store, (id) => restored.has(id))
  await kept.keep([table(1, { level: known(5, ['info']) })], new Set([1]), 1)
  restored.add(1)
  await kept.keep([table(1, { level: known(50, ['info', 'warn']) })], new Set([1]), 1)
  expect(kept.of(1).get('level')).toEqual(known(5, ['info']))
})

it('are forgotten after a week, for values of rows that are gone stay among them', async () => {
  const store = memoryStore()
  const day = 86_400_000
  nowMs = 100 * day
  await open(store).keep([table(1, { level: known(5, ['gone']) })], new Set([1]), 1)
  // A start in between keeps what it goes on from, and when that began.
  nowMs += 4 * day
  const between = open(store)
  expect(between.of(1).get('level')?.seq).toBe(5)
  await between.keep([table(1, { level: known(7, ['gone', 'info']) })], new Set([1]), 1)
  nowMs += 4 * day
  const later = open(store)
  expect(later.of(1)).toEqual(new Map())
  // What is read anew replaces it, though it is of fewer rows at first.
  await later.keep([table(1, { level: known(3, ['info']) })], new Set([1]), 1)
  expect(open(store).of(1).get('level')).toEqual(known(3, ['info']))
})
