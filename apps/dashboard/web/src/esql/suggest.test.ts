import { describe, expect, it } from 'vitest'
import { suggestEsql } from './suggest.ts'

const known = {
  indices: ['logs-*', 'web-events', 'alerts'],
  fields: ['@timestamp', 'host.name', 'http.status', 'user agent', 'bytes'],
}

/** What is offered at the bar of a query, as it would be written. */
function at(query: string): string[] {
  const cursor = query.indexOf('¦')
  const completion = suggestEsql(query.replace('¦', ''), cursor, known)
  return completion?.options.map(({ insert }) => insert) ?? []
}

/** The query with the first of them taken. */
function taken(query: string): string | undefined {
  const cursor = query.indexOf('¦')
  const text = query.replace('¦', '')
  const completion = suggestEsql(text, cursor, known)
  return completion && `${text.slice(0, completion.from)}${completion.options[0]?.insert}${text.slice(cursor)}`
}

describe('what is offered while a query is written', () => {
  it.each([
    ['¦', 'FROM '],
    ['fr¦', 'FROM '],
    ['FROM we¦', 'FROM web-events'],
    ['FROM alerts, lo¦', 'FROM alerts, logs-*'],
    ['FROM alerts met¦', 'FROM alerts METADATA '],
    ['FROM alerts METADATA _id, _s¦', 'FROM alerts METADATA _id, _score'],
    ['FROM a | wh¦', 'FROM a | WHERE '],
    ['FROM a\n| lo¦', 'FROM a\n| LOOKUP JOIN '],
    ['FROM a | WHERE ho¦ == 1', 'FROM a | WHERE host.name == 1'],
    ['FROM a | WHERE user¦', 'FROM a | WHERE `user agent`'],
    ['FROM a | WHERE bytes > 3 an¦', 'FROM a | WHERE bytes > 3 AND '],
    ['FROM a | WHERE bytes > 3 AND h¦', 'FROM a | WHERE bytes > 3 AND host.name'],
    ['FROM a | EVAL x = roun¦', 'FROM a | EVAL x = ROUND('],
    ['FROM a | STATS n = cou¦', 'FROM a | STATS n = COUNT('],
    ['FROM a | STATS COUNT(*) b¦', 'FROM a | STATS COUNT(*) BY '],
    ['FROM a | STATS COUNT(*) BY buck¦', 'FROM a | STATS COUNT(*) BY BUCKET('],
    ['FROM a | SORT bytes de¦', 'FROM a | SORT bytes DESC '],
  ])('%s: %s', (query, next) => {
    expect(taken(query)).toBe(next)
  })

  it('knows the columns that commands before made', () => {
    expect(at('FROM a | EVAL kilo = bytes / 1000 | KEEP ki¦')).toEqual(['kilo'])
    expect(at('FROM a | STATS n = COUNT(*) BY host.name, day = BUCKET(@timestamp, 1 day) | SORT ¦')).toEqual([
      'n',
      'day',
      'host.name',
    ])
    expect(at('FROM a | STATS n = COUNT(*) | WHERE bytes¦')).toEqual([])
  })

  it('offers all fields after a command, and no functions until one is typed', () => {
    expect(at('FROM a | KEEP ¦')).toEqual(['@timestamp', 'host.name', 'http.status', '`user agent`', 'bytes'])
    expect(at('FROM a | WHERE ¦')).toHaveLength(5)
  })

  it('offers nothing in texts and comments, nor where an operand has ended', () => {
    for (const query of [
      'FROM a | WHERE host.name == "we¦',
      'FROM a // wh¦',
      'FROM a | WHERE `ho¦',
      'FROM a | WHERE bytes ¦',
      'FROM a ¦',
    ])
      expect(at(query), query).toEqual([])
    expect(at('FROM a | WHERE x == "a" AND ho¦')).toEqual(['host.name'])
  })

  it('offers aggregates only where they may stand', () => {
    expect(at('FROM a | WHERE SUM¦')).toEqual([])
    expect(at('FROM a | STATS COUNT(*) BY SU¦')).toEqual(['SUBSTRING('])
  })
})
