import { describe, expect, it } from 'vitest'
import type { Expression } from './ast.ts'
import { tokenize } from './lexer.ts'
import { parseQuery } from './parse-query.ts'

/** A condition in short. */
function short(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return typeof expression.value === 'string' ? JSON.stringify(expression.value) : String(expression.value)
    case 'field':
      return `${expression.optional ? '?' : ''}${expression.name}`
    case 'call':
      return `${expression.name}${expression.ignoresCase ? '~' : ''}(${expression.args.map(short).join(' ')})`
    case 'comparison':
      return `(${expression.operator} ${short(expression.left)} ${short(expression.right)})`
    case 'lookup':
      return `(${expression.operator}${expression.ignoresCase ? '~' : ''} ${short(expression.value)} ${expression.listed.map(short).join(' ')})`
    case 'not':
      return `(not ${short(expression.value)})`
    default:
      return `(${expression.kind} ${expression.values.map(short).join(' ')})`
  }
}

function conditionOf(condition: string): string {
  const query = parseQuery(`any where ${condition}`)
  return query.kind === 'event' ? short(query.filter.condition) : ''
}

const reasonOf = (query: string): string => {
  try {
    parseQuery(query)
  } catch (thrown) {
    return (thrown as Error).message
  }
  return 'it was read'
}

describe('words', () => {
  it('have their places and what they say', () => {
    expect(tokenize('a.`b c`.d "x\\ty" 1.5e3 <= // end').map(({ kind, value, at }) => [kind, value, at])).toEqual([
      ['name', 'a.b c.d', 0],
      ['string', 'x\ty', 10],
      ['number', '1.5e3', 17],
      ['symbol', '<=', 23],
      ['end', '', 32],
    ])
  })

  it.each([
    ['"a\\\\b\\"c\\n\\r\\u{1F600}"', 'a\\b"c\n\r😀'],
    ['"""a\\b"c"""', 'a\\b"c'],
    ['""""quoted""""', '"quoted"'],
    ['""', ''],
    ['`a``b`', 'a`b'],
    ['@timestamp', '@timestamp'],
  ])('are read: %s', (text, value) => {
    expect(tokenize(text)[0]?.value).toBe(value)
  })

  it.each([
    ['"a', "line 1:1: token recognition error at: '\"a'"],
    ['"a\nb"', "line 1:1: token recognition error at: '\"a'"],
    ['"""a', 'line 1:1: token recognition error at: \'""\''],
    ['a\n  "\\u{110000}"', 'line 2:4: Invalid unicode character code [110000]'],
    ['"\\u{1}"', "line 1:2: token recognition error at: '\\u'"],
    ['/* a', "line 1:1: token recognition error at: '/*'"],
    ['``', "line 1:1: token recognition error at: '``'"],
    ['a & b', "line 1:3: token recognition error at: '& '"],
    ['?"a"', 'line 1:1: Use triple double quotes ["""] to define unescaped string literals, not [?"]'],
  ])('are refused: %s', (text, reason) => {
    expect(() => tokenize(text)).toThrow(reason)
  })
})

describe('conditions', () => {
  it.each([
    ['a == 1 and b == 2 or not c == 3 and d', '(or (and (== a 1) (== b 2)) (and (not (== c 3)) d))'],
    ['a and (b and (c and d))', '(and a b c d)'],
    ['1 + 2 * -3 - a', 'subtract(add(1 multiply(2 -3)) a)'],
    ['-a == - 5', '(== subtract(0 a) -5)'],
    ['a in ("x", 5, null, true)', '(in a "x" 5 null true)'],
    ['a not in~ ("x")', '(not (in~ a "x"))'],
    ['?a.b like~ ("x*", "y")', '(like~ ?a.b "x*" "y")'],
    ['a : ("x") and b:1', '(and (:~ a "x") (:~ b 1))'],
    ['a regex "x"', '(regex a "x")'],
    ['startsWith~(a, "x") == true', '(== startsWith~(a "x") true)'],
    ['`in` == 9007199254740993', '(== in 9007199254740993)'],
    ['length(concat("a", b)) % 2 == 0', '(== modulo(length(concat("a" b)) 2) 0)'],
  ])('%s', (condition, expected) => {
    expect(conditionOf(condition)).toBe(expected)
  })
})

describe('queries', () => {
  it('are events of a category, with pipes', () => {
    expect(parseQuery('process where true | head 5 | tail 2')).toMatchObject({
      kind: 'event',
      filter: { category: 'process' },
      pipes: [
        { name: 'head', count: 5 },
        { name: 'tail', count: 2 },
      ],
    })
    expect(parseQuery('"my-category.x" where true')).toMatchObject({ filter: { category: 'my-category.x' } })
    expect(parseQuery('any where true')).toMatchObject({ filter: { category: undefined } })
  })

  it('are sequences, with keys of all items first', () => {
    const query = parseQuery(
      'sequence by u, ?v with maxspan=5m [a where true] by x with runs=2 ![b where true] by y until [c where true] by z',
    )
    expect(query).toMatchObject({ kind: 'sequence', maxSpanMs: 300_000 })
    if (query.kind !== 'sequence') throw new Error('no sequence')
    expect(query.stages.map(({ missing, by }) => [missing, by.map(({ name }) => name).join()])).toEqual([
      [false, 'u,v,x'],
      [false, 'u,v,x'],
      [true, 'u,v,y'],
    ])
    expect(query.stages[0]).toBe(query.stages[1])
    expect(query.until?.by.map(({ name, optional }) => [name, optional])).toEqual([
      ['u', false],
      ['v', true],
      ['z', false],
    ])
    expect(parseQuery('sequence with maxspan=1d by u [any where true] [any where true]')).toMatchObject({
      maxSpanMs: 86_400_000,
    })
  })
})

describe('queries that are none', () => {
  it.each([
    ['', "line 1:1: mismatched input '<EOF>' expecting {'any', STRING, IDENTIFIER}"],
    ['where true', "line 1:1: mismatched input 'where' expecting {'any', STRING, IDENTIFIER}"],
    ['any where a < b < c', "line 1:17: mismatched input '<' expecting <EOF>"],
    ['any where a in "x"', "line 1:16: mismatched input '\"x\"' expecting '('"],
    ['any where a in (b)', 'line 1:17: only constants can be listed, found [b]'],
    ['any where f(a', "line 1:14: mismatched input '<EOF>' expecting ')'"],
    ['any where true | head -1', 'line 1:23: Pipe [head] expects a positive integer, found [-]'],
    ['any where true | sort a', 'line 1:18: Unsupported pipe [sort]; there are [head, tail]'],
    ['join [any where true]', "line 1:1: mismatched input 'join' expecting {'any', STRING, IDENTIFIER}"],
    [
      'sequence [any where true] with runs=0 [any where true]',
      'line 1:37: A positive runs value is required; found [0]',
    ],
    [
      'sequence [any where true] with runs=101 [any where true]',
      'line 1:37: A query cannot be repeated more than 100 times; found [101]',
    ],
    [
      'sequence with maxspan=5y [any where true] [any where true]',
      'line 1:24: Unrecognized time unit [y] in time value [5y], expected one of [ms, s, m, h, d]',
    ],
    [
      'sequence with maxspan=1s ![any where true] ![any where true]',
      'line 1:1: A sequence requires at least one positive event query; all of them are missing events',
    ],
    [
      'sequence with maxspan=1s [any where true] [any where true] until ![any where true]',
      'line 1:66: until cannot be a missing event',
    ],
    ['sample by a [any where true] [any where true] | head 1', 'line 1:1: Samples do not support pipes yet'],
    ['sample by a [any where true]', 'line 1:1: A sample requires a minimum of 2 queries, found [1]'],
    [`sample by a ${'[any where true]'.repeat(6)}`, 'line 1:1: A sample takes a maximum of 5 queries, found [6]'],
  ])('are refused: %s', (query, reason) => {
    expect(reasonOf(query)).toEqual(reason)
  })
})

describe('queries that ask for too much', () => {
  it.each([
    [`any where ${'('.repeat(200)}a`, 'line 1:112: the query is nested deeper than [100]'],
    [`any where ${'not '.repeat(200)}a`, expect.stringContaining('nested deeper than [100]')],
    [`any where ${'-'.repeat(200)}a == 1`, expect.stringContaining('nested deeper than [100]')],
    [`any where ${'f('.repeat(200)}a`, expect.stringContaining('nested deeper than [100]')],
    [`any where 1${' + 1'.repeat(200)} == a`, expect.stringContaining('more than [100] operators in a row')],
    [`sequence ${'[any where true] with runs=100 '.repeat(3)}`, expect.stringContaining('a maximum of 256 queries')],
  ])('are refused: %s', (query, reason) => {
    expect(reasonOf(query)).toEqual(reason)
  })

  it('are refused for their length, and read up to there', () => {
    expect(reasonOf(`any where "${'x'.repeat(1_048_577)}"`)).toContain('the query has more than [1048576] characters')
    expect(reasonOf(`any where a in (${'1,'.repeat(500_000)}1)`)).toBe('it was read')
    expect(reasonOf(`any where true${' /**/ //x\n'.repeat(80_000)}`)).toBe('it was read')
    expect(reasonOf(`any where a${' or a'.repeat(200_000)}`)).toBe('it was read')
  })
})
