import { AppError } from '@logstack/errors'
import { describe, expect, it } from 'vitest'
import { readTime } from '../values/unit-values.ts'
import { readParameters } from './parameters.ts'

const table = {
  size: 'integer',
  refresh: 'boolean',
  timeout: 'time',
  names: 'list',
  bytes: 'bytes',
  level: ['a', 'b'],
} as const

const read = (query: string) => readParameters(query, table, '/x/_search').query

function reason(work: () => unknown): string {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.message
    throw thrown
  }
  throw new Error('nothing was thrown')
}

describe('values', () => {
  it('reads each kind; a bare flag is true', () => {
    expect(read('size=5&refresh&timeout=30s&names=a,b&bytes=2kb&level=b&pretty')).toEqual({
      size: 5,
      refresh: true,
      timeout: 30_000,
      names: ['a', 'b'],
      bytes: 2048,
      level: 'b',
    })
  })

  it('decodes names and values', () => {
    expect(read('names=a%2Cb%20c+d')).toEqual({ names: ['a', 'b c d'] })
  })

  it.each([
    ['refresh=yes', 'Failed to parse value [yes] as only [true] or [false] are allowed.'],
    ['size=1.5', 'Failed to parse int parameter [size] with value [1.5]'],
    [
      'timeout=30',
      'failed to parse setting [timeout] with value [30] as a time value: unit is missing or unrecognized',
    ],
    ['names=%zz', 'Failed to decode query parameter [%zz]: not valid percent-encoded UTF-8'],
  ])('refuses %s', (query, expected) => {
    expect(reason(() => read(query))).toBe(expected)
  })

  it('takes months for no unit: m is minutes', () => {
    expect(readTime('t', '2m')).toBe(120_000)
    expect(reason(() => readTime('t', '2M'))).toContain('unit is missing')
  })
})

describe('unknown names', () => {
  it('says which one, and what may be meant', () => {
    expect(reason(() => read('siz=1'))).toBe(
      'request [/x/_search] contains unrecognized parameter: [siz] -> did you mean [size]?',
    )
    expect(reason(() => read('zzz&aaaaaaaaaa'))).toBe(
      'request [/x/_search] contains unrecognized parameters: [aaaaaaaaaa], [zzz]',
    )
  })

  it('knows nothing of what objects inherit', () => {
    expect(reason(() => read('constructor=1'))).toContain('unrecognized parameter: [constructor]')
  })
})
