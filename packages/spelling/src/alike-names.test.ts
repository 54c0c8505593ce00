import { describe, expect, it } from 'vitest'
import { alikeNames, meantHint, meantName } from './alike-names.ts'

describe('names that are alike', () => {
  it('share more than half of the letters, the most alike first', () => {
    expect(alikeNames('tern', ['range', 'terms', 'term'])).toEqual(['term', 'terms'])
  })

  it('share just as much where that is asked, or more', () => {
    expect(alikeNames('ab', ['ac'])).toEqual([])
    expect(alikeNames('ab', ['ac'], { isJustEnough: true })).toEqual(['ac'])
    expect(alikeNames('abc', ['abd'], { likenessMin: 0.7 })).toEqual([])
  })

  it('differ by a swap in one letter where swaps count, otherwise in two, and in as many at most as is asked', () => {
    expect(alikeNames('abdc', ['abcd'], { likenessMin: 0.6, swaps: true })).toEqual(['abcd'])
    expect(alikeNames('abdc', ['abcd'], { likenessMin: 0.6 })).toEqual([])
    expect(alikeNames('abcdefxyz', ['abcdefghi'], { editsMax: 2 })).toEqual([])
  })
})

describe('the name that was meant', () => {
  it.each([
    ['Host_Name', ['name', 'host.name'], 'host.name'],
    ['outcome', ['event.last.outcome', 'event.outcome'], 'event.outcome'],
    ['--offset', ['--data', '--port-offset'], '--port-offset'],
    ['disk', ['disk-space', 'disk-block', 'clock'], 'disk-space'],
    ['stauts', ['start', 'status', 'stop'], 'status'],
    ['restrat', ['restore', 'restart'], 'restart'],
    ['MVAG', ['mvavg', 'movingstd'], 'mvavg'],
    ['xy', ['xz'], undefined],
    ['source.up', ['source.ip', 'source.port'], 'source.ip'],
    ['source.foo', ['source.ip', 'source.port'], undefined],
    ['', ['', 'a'], undefined],
    ['--', ['--'], undefined],
  ])('by %s of %j is %s', (given, known, meant) => {
    expect(meantName(given, known)).toBe(meant)
  })

  it('is asked for at the end of a sentence, and only where there is one', () => {
    expect(meantHint('num_event', ['num_events'])).toBe(', did you mean [num_events]?')
    expect(meantHint('colour', ['num_events'])).toBe('')
  })

  it('is found among very many and very long names at once', () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `field-${at}.${'x'.repeat(1000)}`)
    expect(meantName('y'.repeat(100_000), names)).toBeUndefined()
  })
})
