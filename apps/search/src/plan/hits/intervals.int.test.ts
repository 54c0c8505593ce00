import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('texts', {
    properties: { text: { type: 'text' }, more: { type: 'text', analyzer: 'english' }, code: { type: 'keyword' } },
  })
  await logs.services.write('texts', [
    ['1', { text: 'Some like hot and dry, some like it cold and wet' }],
    ['2', { text: 'Its cold outside, theres no kind of atmosphere' }],
    ['3', { text: 'Baby its cold there outside', more: 'the dogs are running' }],
    ['4', { text: 'Outside it is cold and wet' }],
    ['5', { text: ['cold', 'outside'], more: ['dogs', 'run'] }],
    ['6', { text: 'that is some cold cold rain' }],
  ])
})
afterAll(() => logs.services.close())

async function found(query: unknown): Promise<string> {
  const { hits } = (await logs.answer({ query, sort: '_id' }, {}, 'texts')) as unknown as {
    hits: { hits: { _id: string }[] }
  }
  return hits.hits.map(({ _id }) => _id).join('')
}
const rule = (body: object, field = 'text') => found({ intervals: { [field]: body } })
const match = (query: string, more: object = {}) => ({ match: { query, ...more } })
const term = (value: string) => ({ span_term: { text: value } })
const near = (slop: number, ordered: boolean, ...clauses: object[]) => ({
  span_near: { clauses, slop, in_order: ordered },
})

describe('intervals', () => {
  it('finds words in order, in any order, and near each other', async () => {
    expect(await rule(match('cold outside'))).toBe('2345')
    expect(await rule(match('cold outside', { ordered: true }))).toBe('235')
    expect(await rule(match('cold outside', { ordered: true, max_gaps: 0 }))).toBe('2')
    expect(await rule(match('cold outside', { max_gaps: 2 }))).toBe('234')
    expect(await rule(match('cold cold', { max_gaps: 0 }))).toBe('6')
    expect(await rule(match('cold wet it', { mode: 'unordered_no_overlap' }))).toBe('14')
    expect(await rule(match('runs dog', { max_gaps: 1 }), 'more')).toBe('3')
  })

  it('puts rules together', async () => {
    const parts = (...intervals: object[]) => ({ all_of: { intervals, ordered: true, max_gaps: 1 } })
    expect(await rule(parts(match('cold'), { any_of: { intervals: [match('wet'), match('outside')] } }))).toBe('1234')
    expect(await rule(parts({ prefix: { prefix: 'ou' } }, { wildcard: { pattern: 'i?' } }))).toBe('4')
    expect(await rule({ fuzzy: { term: 'cald' } })).toBe('123456')
    expect(await rule({ regexp: { pattern: 'w.t' } })).toBe('14')
  })

  it('keeps to those that lie so to others', async () => {
    const lying = (how: string, other: string) => rule(match('cold', { filter: { [how]: match(other) } }))
    expect(await lying('before', 'outside')).toBe('235')
    expect(await lying('after', 'is')).toBe('46')
    expect(await rule(match('cold outside', { filter: { containing: match('is') } }))).toBe('4')
    expect(await rule(match('cold outside', { filter: { not_containing: match('is') } }))).toBe('235')
    expect(await rule(match('is', { filter: { contained_by: match('cold outside') } }))).toBe('4')
  })

  it('refuses what is no rule', async () => {
    await expect(rule({ matsch: {} })).rejects.toThrow('Unknown interval type [matsch]')
    await expect(rule(match('a', { max_gap: 1 }))).rejects.toThrow('[match] query does not support [max_gap]')
    await expect(rule(match('a'), 'code')).rejects.toMatchObject({
      cause: { message: expect.stringContaining('Can only use interval queries on text fields - not on [code]') },
    })
    expect(await rule(match('a'), 'unmapped')).toBe('')
  })
})

describe('scripts as filters of intervals', () => {
  it('keep the intervals they accept', async () => {
    expect(await rule(match('cold', { filter: { script: 'interval.start > 2' } }))).toBe('146')
    const gaps = { script: { source: 'interval.gaps == params.gaps', params: { gaps: 1 } } }
    expect(await rule(match('cold outside', { filter: gaps }))).toBe('3')
  })
})

describe('spans', () => {
  it('finds spans near each other, at the beginning, within others and apart from them', async () => {
    expect(await found(near(0, true, term('cold'), term('outside')))).toBe('2')
    expect(await found(near(2, false, term('cold'), term('outside')))).toBe('234')
    expect(await found({ span_first: { match: term('cold'), end: 2 } })).toBe('25')
    expect(await found({ span_or: { clauses: [term('rain'), term('baby')] } })).toBe('36')
    const wide = near(5, false, term('cold'), term('outside'))
    expect(await found({ span_containing: { big: wide, little: term('is') } })).toBe('4')
    expect(await found({ span_within: { big: wide, little: term('there') } })).toBe('3')
    expect(await found({ span_not: { include: term('cold'), exclude: term('is'), pre: 1 } })).toBe('12356')
    expect(await found({ span_multi: { match: { prefix: { text: 'atmos' } } } })).toBe('2')
  })

  it('refuses what is no span', async () => {
    await expect(found(near(0, true, { match: { text: 'a' } }))).rejects.toThrow(
      'span_near [clauses] must be of type span query',
    )
    await expect(found({ span_near: { clauses: [term('a')], slopp: 1 } })).rejects.toThrow(
      '[span_near] query does not support [slopp]',
    )
  })
})
