import { expect, test } from 'vitest'
import { narrowingsInForce, readChanged, savedNarrowings, writeChanged } from './saved-narrowing.ts'

const phrase = (field: string, value: string, meta: object = {}) => ({
  meta: { key: field, type: 'phrase', ...meta },
  query: { match_phrase: { [field]: { query: value } } },
})
const oneOf = {
  meta: { type: 'phrases', key: 'event.code', negate: true },
  query: {
    bool: { should: ['1', '2'].map((code) => ({ match_phrase: { 'event.code': code } })), minimum_should_match: 1 },
  },
}
const saved = savedNarrowings({
  query: { query: ' user.name: * ', language: 'kuery' },
  filter: [
    phrase('host.name', 'a'),
    phrase('host.name', 'b', { disabled: true }),
    oneOf,
    { meta: { alias: 'Working hours', type: 'custom' }, query: { bool: { must: [] } } },
    { meta: { type: 'exists' }, query: { exists: { field: 'source.ip' } } },
    { meta: { key: 'bytes' }, range: { bytes: { gte: 1, lt: 5 } } },
    { meta: { type: 'combined', relation: 'OR', params: [phrase('a', '1'), phrase('b', '2')] }, query: {} },
  ],
})

test('what a dashboard was saved with, in words', () => {
  expect(saved.map(({ label }) => label)).toEqual([
    'user.name: *',
    'host.name: a',
    'host.name: b',
    'not event.code: 1 or event.code: 2',
    'Working hours',
    'source.ip exists',
    'bytes: 1 – 5',
    '(a: 1 or b: 2)',
  ])
})

test('what is disabled does not hold until somebody says so, and the others until somebody leaves them out', () => {
  const none = narrowingsInForce(saved, readChanged(undefined))
  expect(none.queries).toHaveLength(1)
  expect(none.filters).toHaveLength(6)
  const changed = narrowingsInForce(saved, readChanged('q,0,1'))
  expect(changed.queries).toEqual([])
  expect(changed.filters[0]).toEqual({ match_phrase: { 'host.name': { query: 'b' } } })
  expect(writeChanged(readChanged('q,0'), 'q')).toBe('0')
  expect(writeChanged(readChanged('0'), '0')).toBeUndefined()
  expect(writeChanged(readChanged(undefined), '3')).toBe('3')
})
