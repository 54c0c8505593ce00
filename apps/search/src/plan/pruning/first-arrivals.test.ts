import { and, type Predicate } from '@logstack/rules'
import { describe, expect, it } from 'vitest'
import type { PlanServices } from '../leaves/leaf-request.ts'
import type { Leaf } from '../leaves/leaves.ts'
import { type ArrivalsWanted, FirstArrivals } from './first-arrivals.ts'

const services = {
  catalogue: { column: () => ({ name: 'c', indexed: true }), fields: () => new Map() },
} as unknown as PlanServices
const everything: Predicate = { op: 'all' }
const tag = (value: string): Predicate => ({
  op: 'equals',
  field: { path: 'tag', type: 'string' },
  values: [value],
})
const word: Predicate = { op: 'tokens', field: { path: 'message', type: 'text' }, tokens: ['x'], count: 1 }
const since = (gte: number): Predicate => ({
  op: 'range',
  field: { path: '@timestamp', type: 'date' },
  bounds: { gte },
})

/** A leaf of a table with two million rows. */
const leaf = (predicate: Predicate, seq = 2_000_000): Leaf =>
  ({
    table: { id: 1, name: 'events_1' },
    indices: [{ id: 1 }],
    predicate,
    visibility: { seq },
    context: { computed: { keyed: new Map() } },
    fields: new Map(),
  }) as unknown as Leaf
const first = (count = 10): ArrivalsWanted => ({ count, from: undefined, collapse: undefined })
const after = (from: number, count = 10): ArrivalsWanted => ({ ...first(count), from })
/** Sequence numbers of ten rows, each `step` after the other. */
const rows = (start: number, step: number, count = 10): number[] =>
  Array.from({ length: count }, (_, at) => start + at * step)

/** What is known once all documents were asked for. */
function known(): FirstArrivals {
  const arrivals = new FirstArrivals()
  arrivals.found(leaf(everything), first(), rows(1, 1))
  return arrivals
}

describe('where the first rows are looked for', () => {
  it('is everywhere while nothing is known, and then where they were found', () => {
    const arrivals = new FirstArrivals()
    expect(arrivals.until(services, leaf(everything), first())).toBeUndefined()
    arrivals.found(leaf(everything), first(), rows(1, 1))
    expect(arrivals.until(services, leaf(everything), first())).toBe(1_025)
    expect(arrivals.until(services, leaf(everything), after(5_000))).toBe(6_024)
    arrivals.found(leaf(tag('a')), first(), rows(40, 1_000))
    expect(arrivals.until(services, leaf(tag('a')), first())).toBe(40 + 18_000)
    expect(arrivals.until(services, leaf(tag('a')), first(100))).toBe(40 + 180_000)
  })

  it('is the first rows of the indices for a filter that nothing is known of, once', () => {
    const arrivals = known()
    expect(arrivals.until(services, leaf(tag('a')), first())).toBe(1 + 65_536)
    arrivals.found(leaf(tag('a')), first(), [3, 900_000])
    expect(arrivals.until(services, leaf(tag('a')), first())).toBeUndefined()
    expect(arrivals.until(services, leaf(tag('b')), first())).toBe(1 + 65_536)
    // Found at last, it is looked for where it was.
    arrivals.found(leaf(tag('a')), first(), rows(3, 10))
    expect(arrivals.until(services, leaf(tag('a')), first())).toBe(3 + 1_024)
  })

  it('is everywhere for what lies anywhere, is found by an index, is in a small table or goes on from a page', () => {
    const arrivals = known()
    const unknown: [Leaf, ArrivalsWanted][] = [
      [leaf(and([tag('a'), since(5)])), first()],
      [leaf(word), first()],
      [leaf({ op: 'not', of: word }), first()],
      [leaf({ op: 'ids', ids: ['1'] }), first()],
      [leaf(tag('a'), 200_000), first()],
      [leaf(tag('a')), after(7)],
      [leaf(tag('a')), { ...first(), collapse: 'host' }],
    ]
    for (const [searched, wanted] of unknown) expect(arrivals.until(services, searched, wanted)).toBeUndefined()
    expect(arrivals.until(services, leaf(tag('a'), 524_288), first())).toBe(1 + 32_767)
  })

  it('tells bounds of time and collapsed fields apart', () => {
    const arrivals = known()
    arrivals.found(leaf(and([tag('a'), since(5)])), first(), rows(300_000, 2))
    expect(arrivals.until(services, leaf(and([tag('a'), since(5)])), first())).toBe(301_024)
    expect(arrivals.until(services, leaf(and([tag('a'), since(6)])), first())).toBeUndefined()
    arrivals.found(leaf(everything), { ...first(), collapse: 'host' }, [1, 2])
    expect(arrivals.until(services, leaf(everything), { ...first(), collapse: 'host' })).toBeUndefined()
    expect(arrivals.until(services, leaf(everything), first())).toBe(1_025)
  })

  it('is everywhere where it would be most of the rows', () => {
    const arrivals = known()
    arrivals.found(leaf(tag('late')), first(), rows(1_500_000, 1))
    expect(arrivals.until(services, leaf(tag('late')), first())).toBeUndefined()
    expect(arrivals.until(services, leaf(tag('late'), 4_000_000), first())).toBe(1_501_024)
    expect(arrivals.until(services, leaf(everything), after(1_999_000))).toBeUndefined()
  })

  it('follows the pages: a gap widens the next look, the last page changes nothing', () => {
    const arrivals = known()
    arrivals.found(leaf(everything), after(1_000), rows(500_000, 1))
    expect(arrivals.until(services, leaf(everything), after(500_009))).toBeUndefined()
    arrivals.found(leaf(everything), after(500_009), rows(500_010, 1))
    expect(arrivals.until(services, leaf(everything), after(500_019))).toBe(501_043)
    arrivals.found(leaf(everything), after(1_999_999), [2_000_000])
    expect(arrivals.until(services, leaf(everything), first())).toBe(1_025)
  })
})
