import { describe, expect, test } from 'vitest'
import { commandName, commandsOf, indicesOf, timeUseOf } from './query-text.ts'

describe('the commands of a query', () => {
  test('stand between pipes, but not those of texts, names, comments and groups', () => {
    const query =
      'FROM a // b | c\n| WHERE x == "|" AND y == """a"|"b""" /* | */\n| EVAL `a|b` = 1 | FORK (WHERE z | LIMIT 1) (LIMIT 2)'
    expect(commandsOf(query)).toEqual([
      'FROM a',
      'WHERE x == "|" AND y == """a"|"b"""',
      'EVAL `a|b` = 1',
      'FORK (WHERE z | LIMIT 1) (LIMIT 2)',
    ])
    expect(commandsOf(query).map(commandName)).toEqual(['FROM', 'WHERE', 'EVAL', 'FORK'])
  })

  test('a quote that is not closed hides nothing', () => {
    expect(commandsOf('FROM a | WHERE x == "b | LIMIT 1')).toHaveLength(3)
  })
})

test.each([
  ['FROM logs-*', 'logs-*'],
  ['from logs-*, "metrics-a" metadata _id, _index | limit 1', 'logs-*,metrics-a'],
  ['FROM logs-* [METADATA _id]', 'logs-*'],
  ['FROM <logs-{now/d}> | LIMIT 1', '<logs-{now/d}>'],
  ['// first\nFROM a', 'a'],
  ['ROW a = 1', undefined],
  ['FROM (FROM a | LIMIT 1)', undefined],
  ['', undefined],
])('%s reads %s', (query, indices) => {
  expect(indicesOf(query)).toBe(indices)
})

test.each([
  ['FROM a', false, false],
  ['FROM a | WHERE x == "?_tstart"', false, false],
  ['FROM a | STATS COUNT(*) BY BUCKET(DATE_TRUNC(1 day, @timestamp), 50, ?_tstart, ?_tend)', true, false],
  ['FROM a | WHERE t >= ?_tstart AND t < ?_tend', true, true],
  ['FROM a | WHERE t >= ?_tstart - 1 day | STATS n = COUNT(*) BY BUCKET(t, 50, ?_tstart, ?_tend)', true, true],
])('%s: names the range %s, chooses by it %s', (query, isNamed, isChosen) => {
  expect(timeUseOf(query)).toEqual({ isNamed, isChosen })
})
