import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chosenGroups, chosenTurn } from './faults/chosen-groups.ts'
import { injectionOf, injections, turnsMax } from './faults/index.ts'
import { canCoexist, chosenMixes, coexistingPairs, mixesOf, pairsIn, unmixed } from './faults/mixes.ts'
import { addUp, FaultsReport, type MeasuredFault, medianOf, readMeasurements } from './faults-report.ts'

// No host is needed for it.
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'faults-report-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const measured = (name: string, more: Partial<MeasuredFault> = {}): MeasuredFault => ({
  ...{ fault: name, name, how: 'it is removed', rounds: 1, detect_s: [8], repair_s: [2], meaning: 'it is away' },
  commit: 'aaaaaaa',
  ...more,
})

test('each round is added to what the file holds, by this run or an earlier one', () => {
  const file = join(folder, 'faults.json')
  const finding = { name: 'image', status: 'fault', meaning: 'it is away' } as const
  const [image, clock] = [injectionOf('image'), injectionOf('clock')]
  const first = new FaultsReport(file)
  first.add(image, finding, { detectMs: 9_040, repairMs: 3_000 })
  first.add(clock, { ...finding, name: 'clock' }, { detectMs: 5_000, repairMs: undefined })
  first.addMix(['image', 'clock'], 20_000)
  first.addHealthy([7_000, 9_000, 6_000])
  const second = new FaultsReport(file)
  second.add(image, finding, { detectMs: 12_000, repairMs: 1_000 })
  second.addMix(['image', 'clock'], 30_000)
  expect(readMeasurements(file)).toMatchObject({
    healthy: { runs: 3, look_s: 7 },
    injections: [
      { name: 'clock', rounds: 1, detect_s: [5], repair_s: [] },
      { name: 'image', rounds: 2, detect_s: [9, 12], repair_s: [3, 1], meaning: 'it is away' },
    ],
    mixes: [{ names: ['image', 'clock'], repair_s: 30 }],
  })
})

test('two files become one: rounds summed up under the newer commit, nothing lost', () => {
  const before = { injections: [measured('network', { rounds: 3 }), measured('ports')], mixes: [] }
  const now = { injections: [measured('network', { detect_s: [6], commit: 'bbbbbbb' }), measured('clock')], mixes: [] }
  expect(addUp(before, now).injections).toEqual([
    measured('clock'),
    measured('network', { rounds: 4, detect_s: [8, 6], repair_s: [2, 2], commit: 'bbbbbbb' }),
    measured('ports'),
  ])
})

test('rounds of a fault that was made in another way do not count', () => {
  const now = measured('network', { how: 'it is cut' })
  expect(addUp({ injections: [measured('network')], mixes: [] }, { injections: [now], mixes: [] }).injections).toEqual([
    now,
  ])
})

test('the median is one of the numbers', () => {
  expect([medianOf([3, 1, 2]), medianOf([10, 9, 1, 2])]).toEqual([2, 9])
})

test('mixes hold every pair that can coexist, and no other', () => {
  const mixes = mixesOf([])
  expect([...new Set(mixes.flatMap(pairsIn))].sort()).toEqual(coexistingPairs().sort())
  expect(mixes.every((names) => names.length <= 12 && new Set(names).size === names.length)).toBe(true)
  const alone = injections.filter((one) => !injections.some((other) => other !== one && canCoexist(one, other)))
  expect(alone.flatMap(({ isLeft, name }) => (isLeft ? [] : [name]))).toEqual(unmixed)
})

test('mixes are chosen by number, and only those that are missing', () => {
  const all = mixesOf([])
  expect(chosenMixes(undefined, [])).toEqual([])
  expect(chosenMixes('all', all)).toEqual(all)
  expect(chosenMixes('missing', all)).toEqual([])
  expect(chosenMixes('2', [])).toEqual(all.slice(0, 2))
  expect(chosenMixes('missing:2-3', all.slice(0, 1))).toHaveLength(2)
  for (const wrong of ['', 'al', '3-', 'missing3', 'missing:x']) expect(() => chosenMixes(wrong, [])).toThrow(/neither/)
})

test('turns that follow each other inject every usual group, each a part of them', () => {
  const namesOf = (wanted: string | undefined, turn: number): string[] =>
    chosenGroups(wanted, turn).map((group) => group.map(({ name }) => name).join())
  const usual = namesOf('usual', 0)
  const first = chosenTurn(undefined)
  const turns = Array.from({ length: turnsMax }, (_, later) => namesOf(undefined, first + later))
  expect([...new Set(turns.flat())].sort()).toEqual(usual.toSorted())
  for (const names of turns) expect(names.length).toBeLessThan(usual.length)
  expect(namesOf('turn', first + turnsMax)).toEqual(turns[0])
})

test('a turn is the number of commits, or the one that is given', () => {
  expect(chosenTurn(undefined, () => 2)).toBe(2)
  expect(chosenTurn('7', () => 0)).toBe(7)
  for (const wrong of ['', '-1', '1.5', 'monday']) expect(() => chosenTurn(wrong, () => 0)).toThrow(/no whole number/)
})
