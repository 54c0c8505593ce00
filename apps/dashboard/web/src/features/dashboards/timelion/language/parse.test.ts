import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTimelion } from './parse.ts'
import { type Argument, type Expression, TimelionError } from './tree.ts'

function callsIn(expression: string): { name: string; arguments: unknown[] }[] {
  const [first] = parseTimelion(expression)
  if (first?.kind !== 'chain') throw new Error('no chain')
  return first.calls.map(({ name, arguments: given }) => ({ name, arguments: given.map(shortArgument) }))
}

function shortArgument({ name, value }: Argument): unknown {
  const short = shortValue(value)
  return name === undefined ? short : { [name]: short }
}

function shortValue(value: Expression): unknown {
  if (value.kind === 'literal') return value.value
  return value.kind === 'chain' ? value.calls.map(({ name }) => name) : `@${value.sheet}:${value.chain ?? ''}`
}

const refusalOf = (expression: string): string => {
  try {
    parseTimelion(expression)
    return ''
  } catch (thrown) {
    if (thrown instanceof TimelionError) return thrown.message
    throw thrown
  }
}

test('a chain is its calls, with arguments by place and by name', () => {
  expect(callsIn(`.es(*, metric='avg:system.load', split = "host:3").lines(fill=1,width=0.5)`)).toEqual([
    { name: 'es', arguments: ['*', { metric: 'avg:system.load' }, { split: 'host:3' }] },
    { name: 'lines', arguments: [{ fill: 1 }, { width: 0.5 }] },
  ])
})

test('words without quotes are texts, numbers, true, false and null', () => {
  const [{ arguments: given } = { arguments: [] }] = callsIn(
    '.f(metricbeat-*, @timestamp, -1d, 1:2:3, -2, 1e3, .5, true, false, null, trueish, #c6c6c6, $1, status:200)',
  )
  const texts = ['metricbeat-*', '@timestamp', '-1d', '1:2:3']
  expect(given).toEqual([...texts, -2, 1000, 0.5, true, false, null, 'trueish', '#c6c6c6', '$1', 'status:200'])
})

test('quotes hold what words cannot; a backslash stands for itself but before a quote or another', () => {
  const [call] = callsIn(String.raw`.f('a, (b) = "c"', "it's", 'it\'s', "\S+ \\d \"x\"", '')`)
  expect(call?.arguments).toEqual(['a, (b) = "c"', "it's", "it's", String.raw`\S+ \d "x"`, ''])
})

test('series are separated by commas, spaces, lines or nothing, and may end with a comma', () => {
  for (const text of ['.a(),.b()', '.a() , .b(),', '.a(),\n\t.b()', '(.a())(.b())', ' .a(),.b() '])
    expect(parseTimelion(text), text).toHaveLength(2)
  expect(callsIn('.a()\n  .b( )\n  .c()').map(({ name }) => name)).toEqual(['a', 'b', 'c'])
})

test('chains, groups, references and variables stand for series', () => {
  expect(callsIn('.a().divide(.b().c())')[1]?.arguments).toEqual([['b', 'c']])
  expect(callsIn('.a().sum(@1:2)')[1]?.arguments).toEqual(['@1:2'])
  expect(parseTimelion('(.a(), .b().c()).d()')).toMatchObject([
    { group: [{ calls: [{ name: 'a' }] }, { calls: [{ name: 'b' }, { name: 'c' }] }], calls: [{ name: 'd' }] },
  ])
  const [first, second] = parseTimelion('$x=.a(), $n = 5, ($x).b($n), $x')
  expect(first).toMatchObject({ group: [{ calls: [{ name: 'a' }] }], calls: [{ name: 'b' }] })
  expect(second).toMatchObject({ calls: [{ name: 'a' }] })
})

test.each([
  ['', 'The expression draws nothing: it needs a data source, such as .es()'],
  ['$x=.es()', 'The expression draws nothing: it needs a data source, such as .es()'],
  ['.es(', 'Expected “)”\nat character 5 (its end)'],
  ['.es().lines(fill=)', 'Expected a value\nat character 18: )'],
  ['.es', 'Expected “(”\nat character 4 (its end)'],
  ['.es().', 'The name of a function is missing\nat character 6: .'],
  [".es(q='a)", "The text that begins here does not end: its quote is missing\nat character 7: 'a)"],
  ['es()', 'Expected a data source, such as .es()\nat character 1: es()'],
  ['.es())', 'Expected the end of the expression\nat character 6: )'],
  ['($nobody)', 'The variable $nobody is given no value before it is used\nat character 2: $nobody)'],
  ['.es(a,,b)', 'Expected a value\nat character 7: ,b)'],
])('%j is told with its place', (expression, message) => {
  expect(refusalOf(expression)).toBe(message)
})

test('what is too long, too deep or too much is refused before it is looked at', () => {
  expect(refusalOf(`.static(${'1:'.repeat(10_000)}1)`)).toContain('at most 20000 are read')
  expect(refusalOf(`${'('.repeat(5_000)}.a()${')'.repeat(5_000)}`)).toContain('more than 50 levels deep')
  expect(refusalOf('.a('.repeat(5_000))).toContain('more than 50 levels deep')
  expect(refusalOf('.a()'.repeat(1_001))).toContain('more than 1000 functions')
})

test('any text is an expression or refused in words', () => {
  const piece = fc.constantFrom(
    '.es',
    '(',
    ')',
    ',',
    '=',
    "'",
    '"',
    '\\',
    '@1',
    ':2',
    '$x',
    ' ',
    '\n',
    'a',
    '.5',
    '-1d',
    '.',
  )
  const anything = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
  )
  fc.assert(fc.property(anything, (expression) => typeof refusalOf(expression) === 'string'))
})
