import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RecentIds } from './recent-ids.ts'

it('never calls an id new that a document has, whatever the order of ids and restarts', () => {
  const id = fc.oneof(fc.nat(400).map(String), fc.string({ minLength: 1, maxLength: 2 }), fc.constant('~far ahead'))
  const write = fc.record({ index: fc.nat(2), id })
  const step = fc.oneof({ weight: 30, arbitrary: write }, { weight: 1, arbitrary: fc.constant('restart' as const) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), fc.integer({ min: 1, max: 9 }), (steps, generation) => {
      const stored = new Map<number, Set<string>>()
      const last = (index: number): string => [...(stored.get(index) ?? [])].reduce((a, b) => (b > a ? b : a), '')
      let recent = new RecentIds(last, generation)
      for (const one of steps) {
        if (one === 'restart') recent = new RecentIds(last, generation)
        else {
          const known = stored.get(one.index) ?? new Set()
          stored.set(one.index, known)
          if (recent.isNew(one.index, one.id)) expect(known.has(one.id)).toBe(false)
          known.add(one.id)
        }
      }
    }),
  )
})

it('calls rising ids new for ever, also beside one whose clock is ahead and others a little late', () => {
  const recent = new RecentIds(() => '', 100)
  const idOf = (number: number): string => String(number).padStart(8, '0')
  const refused: string[] = []
  const give = (id: string): void => {
    if (!recent.isNew(1, id)) refused.push(id)
  }
  for (let at = 0; at < 10_000; at += 1) {
    give(idOf(at * 10))
    if (at % 1_000 === 0) give(`9-${at}`)
    if (at >= 20 && at % 7 === 0) give(idOf((at - 20) * 10 + 1))
  }
  expect(refused.slice(0, 3)).toEqual([])
  expect(recent.isNew(1, idOf(99_990))).toBe(false)
})

it('knows nothing of an index whose ids nobody noted', () => {
  const recent = new RecentIds((index) => (index === 1 ? undefined : ''))
  expect(recent.isNew(1, 'a')).toBe(false)
  expect(recent.isNew(2, 'a')).toBe(true)
  expect(recent.isNew(2, 'a')).toBe(false)
})
