import { parseQuery } from '@logstack/esql'
import { describe, expect, it } from 'vitest'
import { pushedDown } from './pushdown.ts'
import type { EsqlType } from './types.ts'

const types: Readonly<Record<string, EsqlType>> = {
  k: 'keyword',
  t: 'text',
  n: 'long',
  d: 'double',
  at: 'date',
  ns: 'date_nanos',
  b: 'boolean',
}

function pushed(text: string) {
  const { commands } = parseQuery(`FROM x | ${text}`)
  return pushedDown(commands.slice(1), {
    typeOf: (name) => types[name],
    fullText: (expression) => (expression.kind === 'match' ? { match: true } : undefined),
  })
}

describe('conditions behind FROM', () => {
  it.each([
    ['WHERE k == "a"', [{ term: { k: 'a' } }]],
    ['WHERE "a" == k AND n > 5', [{ term: { k: 'a' } }, { range: { n: { gt: 5 } } }]],
    ['WHERE 5 > n', [{ range: { n: { lt: 5 } } }]],
    ['WHERE k IN ("a", "b")', [{ terms: { k: ['a', 'b'] } }]],
    ['WHERE at < "2026-01-01"', [{ range: { at: { lte: 1_767_225_600_000, format: 'epoch_millis' } } }]],
    ['WHERE ns >= "2026-01-01"', [{ range: { ns: { gte: 1_767_225_600_000, format: 'epoch_millis' } } }]],
    [
      'WHERE k == "a" OR n == 1',
      [{ bool: { should: [{ term: { k: 'a' } }, { term: { n: 1 } }], minimum_should_match: 1 } }],
    ],
    ['WHERE b == true AND t IS NOT NULL', [{ term: { b: true } }, { exists: { field: 't' } }]],
    ['SORT n | WHERE k == "a"', [{ term: { k: 'a' } }]],
    ['EVAL z = 1 | WHERE z == 1 AND k == "a"', [{ term: { k: 'a' } }]],
  ])('%s asks for documents that can meet it', (text, filter) => {
    expect(pushed(text).filter).toEqual(filter)
  })

  it.each([
    'WHERE k != "a"',
    'WHERE NOT k == "a"',
    'WHERE t == "a"',
    'WHERE k > "a"',
    'WHERE n == "5"',
    'WHERE n == 9007199254740993',
    'WHERE n > 0.5',
    'WHERE k == "a" OR t == "x"',
    'WHERE ns < "2026-01-01"',
    'WHERE k == n',
    'LIMIT 1 | WHERE k == "a"',
    'STATS n = COUNT(*) BY k | WHERE k == "a"',
    'MV_EXPAND k | WHERE k == "a"',
    'EVAL k = "b" | WHERE k == "b"',
    'RENAME t AS k | WHERE k == "a"',
  ])('%s asks for nothing of documents', (text) => {
    expect(pushed(text).filter).toEqual([])
  })

  it('takes out only what is said to the letter', () => {
    const { filter, fullText, rest } = pushed('WHERE t : "x" AND k == "a"')
    expect([fullText, filter]).toEqual([[{ match: true }], [{ term: { k: 'a' } }]])
    expect(rest).toMatchObject([{ command: 'where', condition: { kind: 'comparison' } }])
    expect(pushed('WHERE t : "x"').rest).toEqual([])
  })
})
