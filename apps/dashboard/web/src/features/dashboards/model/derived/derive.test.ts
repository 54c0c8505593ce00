import { describe, expect, test } from 'vitest'
import type { DerivedSpec, Table } from '../table.ts'
import { collapsed } from './collapse.ts'
import { withDerived } from './derive.ts'
import { evaluate, expressionOfTree } from './expression.ts'
import { parseScript } from './parse-script.ts'

const context = { range: { fromMs: 0, toMs: 40_000 } }
const table: Table = {
  columns: [
    { id: 'host', label: 'host', role: 'bucket', type: 'text' },
    { id: 't', label: 'time', role: 'bucket', type: 'date', intervalMs: 10_000 },
    { id: 'n', label: 'n', role: 'metric', type: 'number' },
  ],
  // The rows of the two hosts are mixed, and those of the first are not in order.
  rows: [
    { host: 'a', t: 20_000, n: 9 },
    { host: 'b', t: 0, n: 100 },
    { host: 'a', t: 0, n: 4 },
    { host: 'a', t: 10_000, n: 6 },
    { host: 'b', t: 10_000, n: 30 },
    { host: 'a', t: 30_000, n: null },
  ],
}
const calculated = (calculation: DerivedSpec['calculation']): unknown[] =>
  withDerived(table, [{ id: 'd', label: 'd', calculation }], [], context).rows.map(({ d }) => d)
const along = (name: Extract<DerivedSpec['calculation'], { type: 'sequence' }>['name'], window = 1): unknown[] =>
  calculated({ type: 'sequence', name, of: 'n', window })

describe('along the rows of each group, in order of time', () => {
  test('differences, the rise of counters, sums', () => {
    expect(along('differences')).toEqual([3, null, null, 2, -70, null])
    expect(along('differences', 2)).toEqual([5, null, null, null, null, null])
    expect(along('counter_rise')).toEqual([3, null, null, 2, 30, null])
    expect(along('cumulative_sum')).toEqual([19, 100, 4, 10, 130, null])
    expect(along('positive_only')).toEqual([9, 100, 4, 6, 30, null])
  })

  test('averages before a row (Lens) and up to it (TSVB)', () => {
    expect(along('moving_average', 2)).toEqual([5, null, null, 4, 100, 7.5])
    expect(along('trailing_average', 2)).toEqual([7.5, 100, 4, 5, 65, 9])
  })

  test('one number of all rows', () => {
    expect(along('overall_sum')).toEqual([19, 130, 19, 19, 130, 19])
    expect(along('overall_max')).toEqual([9, 100, 9, 9, 100, 9])
    expect(along('overall_min')).toEqual([4, 30, 4, 4, 30, 4])
    expect(along('overall_average')).toEqual([19 / 3, 65, 19 / 3, 19 / 3, 65, 19 / 3])
  })
})

test('a rate is by the width of the buckets, or of the range where there are none', () => {
  expect(calculated({ type: 'rate', of: 'n', unitMs: 1_000 })).toEqual([0.9, 10, 0.4, 0.6, 3, null])
  const single: Table = { columns: table.columns.slice(2), rows: [{ n: 80 }] }
  const spec: DerivedSpec = { id: 'n', label: 'n', calculation: { type: 'rate', of: 'n', unitMs: 1_000 } }
  expect(withDerived(single, [spec], [], context).rows).toEqual([{ n: 2 }])
})

test('the numbers of the range itself', () => {
  expect(calculated({ type: 'constant', name: 'interval' })[0]).toBe(10_000)
  expect(calculated({ type: 'constant', name: 'time_range' })[0]).toBe(40_000)
})

test('columns that only serve others are not in the table', () => {
  const spec: DerivedSpec = {
    id: 'd',
    label: 'Doubled',
    calculation: {
      type: 'expression',
      expression: {
        kind: 'call',
        name: 'add',
        args: [
          { kind: 'variable', name: 'x' },
          { kind: 'variable', name: 'x' },
        ],
      },
      variables: { x: 'n' },
    },
  }
  const found = withDerived(table, [spec], ['n'], context)
  expect(found.columns.map(({ label }) => label)).toEqual(['host', 'time', 'Doubled'])
  expect(found.rows.map(({ d }) => d)).toEqual([18, 200, 8, 12, 60, null])
})

test('rows that differ in one group alone become one', () => {
  const found = collapsed(table, [{ bucket: 't', by: 'sum' }])
  expect(found.columns.map(({ id }) => id)).toEqual(['host', 'n'])
  expect(found.rows).toEqual([
    { host: 'a', n: 19 },
    { host: 'b', n: 130 },
  ])
  expect(collapsed(table, [{ bucket: 'host', by: 'max' }]).rows).toContainEqual({ t: 0, n: 100 })
})

const valueOfScript = (script: string, values: Readonly<Record<string, number>> = {}): number | null | undefined => {
  const expression = parseScript(script)
  return expression && evaluate(expression, (name) => values[name] ?? null)
}

describe('arithmetic', () => {
  test('binds as it is written', () => {
    expect(valueOfScript('1 + 2 * 3 - 4 / 2')).toBe(5)
    expect(valueOfScript('-(2 - 5) * 2')).toBe(6)
    expect(valueOfScript('10 - 3 - 2')).toBe(5)
    expect(valueOfScript('params.a / params.b * 100', { a: 1, b: 4 })).toBe(25)
    expect(valueOfScript('divide(a, multiply(b, 2))', { a: 8, b: 2 })).toBe(2)
    expect(valueOfScript('return params.used.pct > 0.5 ? 1 : 0;', { 'used.pct': 0.7 })).toBe(1)
    expect(valueOfScript('params.b != null && params.b != 0 ? params.a / params.b : null', { a: 6, b: 3 })).toBe(2)
    expect(valueOfScript('Math.max(params.a, 7)', { a: 3 })).toBe(7)
  })

  test('nothing comes of a missing number or a division by zero', () => {
    expect(valueOfScript('params.a + 1')).toBeNull()
    expect(valueOfScript('params.a / 0', { a: 1 })).toBeNull()
    expect(valueOfScript('params.b != null && params.b != 0 ? params.a / params.b : null', { a: 6 })).toBeNull()
  })

  test.each([
    '',
    'a +',
    '(a',
    'def x = 1; x += 1; return x',
    'for (;;) {}',
    'if (a > 0) { def b = 1 } return a',
    'doc["x"].value',
    'system(1)',
    'a b',
    '1 2',
    '('.repeat(500),
  ])('more than arithmetic is said to be: %s', (script) => {
    expect(parseScript(script)).toBeUndefined()
  })

  test('the tree that Lens saves', () => {
    const tree = {
      type: 'function',
      name: 'multiply',
      args: ['c1', { type: 'function', name: 'subtract', args: [5, 'c2'] }],
    }
    const expression = expressionOfTree(tree)
    expect(expression && evaluate(expression, (name) => ({ c1: 2, c2: 1 })[name] ?? null)).toBe(8)
    expect(expressionOfTree({ type: 'function', name: 'eval', args: [] })).toBeUndefined()
  })
})

describe('scripts of several statements', () => {
  test('statements declare, decide and return', () => {
    const throttled = `
      if (params.used > 0 && params.periods > 0) {
        // if throttling is configured
        double  factor = params.used / (params.periods * 1000);

        return factor * 100;
      }

      return null;`
    expect(valueOfScript(throttled, { used: 50, periods: 5 })).toBe(1)
    expect(valueOfScript(throttled, { used: 50 })).toBeNull()
    const limit = 'if (params.limit  < 999999999999999999L) {\n return params.limit;\n}\n'
    expect(valueOfScript(limit, { limit: 7 })).toBe(7)
    expect(valueOfScript(limit, { limit: 1e18 })).toBeNull()
    const graded = 'if (a > 9) return 2; else if (a > 5) { return 1; } else { return 0; }'
    expect([10, 7, 1].map((a) => valueOfScript(graded, { a }))).toEqual([2, 1, 0])
    expect(valueOfScript('def a = 2; def b = a * a; a = 3; return b')).toBeUndefined()
    expect(valueOfScript('def a = params.x; long b = a * a; return b + a', { x: 3 })).toBe(12)
  })

  test('a script whose declared names stand in too many places is refused before it is calculated', () => {
    const names = Array.from({ length: 30 }, (_, at) => `def v${at + 1} = v${at} + v${at};`)
    expect(parseScript(`def v0 = a; ${names.join(' ')} return v30`)).toBeUndefined()
  })

  test('scripts know the interval and the time of their bucket', () => {
    const expression = parseScript('params.n / params._interval + params._timestamp')
    if (!expression) throw new Error('no expression')
    expect(calculated({ type: 'expression', expression, variables: { n: 'n' } })).toEqual([
      20_000.0009,
      0.01,
      0.0004,
      10_000.0006,
      10_000.003,
      null,
    ])
  })
})
