import { describe, expect, test } from 'vitest'
import type { EsqlAnswer } from '../../../api/esql.ts'
import { columnTypes, defaultLimit, hitsOf, keepsColumns, otherWarnings, shownColumns, sortedRows } from './rows.ts'

function answerOf(
  columns: Readonly<Record<string, string>>,
  values: unknown[][] = [],
  warnings: string[] = [],
): EsqlAnswer {
  return { columns: Object.entries(columns).map(([name, type]) => ({ name, type })), values, warnings }
}

test('rows are what documents are to the table; nothing stands where there is no value', () => {
  const answer = answerOf({ 'host.name': 'keyword', n: 'long', t: 'date_nanos' }, [
    ['web', 1, null],
    [null, 2, '2026-01-01T00:00:00Z'],
  ])
  expect(hitsOf(answer)).toMatchObject([
    { _index: '', _source: { 'host.name': 'web', n: 1 } },
    { _index: '', _source: { n: 2, t: '2026-01-01T00:00:00Z' } },
  ])
  expect(columnTypes(answer).get('t')).toBe('date')
})

test('a row has one name in every answer, and no two have the same', () => {
  const namesOf = (...values: unknown[][]) => hitsOf(answerOf({ n: 'long' }, values)).map(({ _id }) => _id)
  const [first, second, third] = namesOf([1], [1], [2])
  expect(new Set([first, second, third]).size).toBe(3)
  expect(namesOf([2], [1])).toEqual([third, first])
})

describe('the columns of the table', () => {
  const many = answerOf({
    '@timestamp': 'date',
    ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${at}`, 'long'])),
  })
  const few = answerOf({ '@timestamp': 'date', a: 'long', b: 'long' })
  const shown = (answer: EsqlAnswer, esql: string, chosen: string[] = []) =>
    shownColumns(answer, { esql, chosen, timeField: '@timestamp' })

  test('are all where there are few, or where the query chose them', () => {
    expect(shown(few, 'FROM a')).toEqual(['a', 'b'])
    expect(shown(many, 'FROM a | STATS n = COUNT(*)')).toHaveLength(20)
  })

  test('are none for documents of many fields, until somebody chooses some', () => {
    expect(shown(many, 'FROM a | LIMIT 10')).toEqual([])
    expect(shown(many, 'FROM a | LIMIT 10', ['f3', 'gone'])).toEqual(['f3'])
    expect(shown(few, 'FROM a', ['gone'])).toEqual(['a', 'b'])
  })

  test('stay chosen while the query answers the same ones', () => {
    expect(keepsColumns('FROM a | LIMIT 10', 'FROM a | WHERE b == 1 | LIMIT 20')).toBe(true)
    expect(keepsColumns('FROM a | LIMIT 10', 'FROM a | STATS n = COUNT(*)')).toBe(false)
  })
})

test('rows are sorted by numbers and texts, those without a value last', () => {
  const hits = hitsOf(
    answerOf({ n: 'long', a: 'keyword' }, [
      [10, 'x'],
      [9, null],
      [null, 'y'],
      [100, ['b', 'z']],
    ]),
  )
  const order = (field: string, direction: 'asc' | 'desc') =>
    sortedRows(hits, { field, direction })
      .map((hit) => hits.indexOf(hit))
      .join('')
  expect([order('n', 'asc'), order('n', 'desc'), order('a', 'asc')]).toEqual(['1032', '3012', '3021'])
  expect(sortedRows(hits, undefined)).toBe(hits)
})

describe('the limit of a query without one', () => {
  const rows = (count: number): unknown[][] => Array.from({ length: count }, (_, at) => [at])
  const warning = 'No limit defined, adding default limit of [500]'

  test('is told where it cut something off', () => {
    expect(defaultLimit(answerOf({ n: 'long' }, rows(500), [warning]), 'FROM a')).toBe(500)
    expect(defaultLimit(answerOf({ n: 'long' }, rows(1_000)), 'FROM a')).toBe(1_000)
  })

  test('is not told of fewer rows, nor of a limit of the query', () => {
    expect(defaultLimit(answerOf({ n: 'long' }, rows(3), [warning]), 'FROM a')).toBeUndefined()
    expect(defaultLimit(answerOf({ n: 'long' }, rows(1_000)), 'FROM a | LIMIT 1000')).toBeUndefined()
  })

  test('is no warning besides', () => {
    expect(otherWarnings(answerOf({}, [], [warning, 'another']))).toEqual(['another'])
  })
})
