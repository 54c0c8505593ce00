import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Rison, readRison } from './rison.ts'

test('what Kibana writes into addresses is read', () => {
  expect(
    readRison("(filters:!(),refreshInterval:(pause:!t,value:0),time:(from:now-15m,to:'2026-01-01T00:00:00.000Z'))"),
  ).toEqual({
    filters: [],
    refreshInterval: { pause: true, value: 0 },
    time: { from: 'now-15m', to: '2026-01-01T00:00:00.000Z' },
  })
  expect(
    readRison("(query:(language:kuery,query:'host.name:!'a!' and b!!'),sort:!(!('@timestamp',desc)),n:!n)"),
  ).toEqual({
    query: { language: 'kuery', query: "host.name:'a' and b!" },
    sort: [['@timestamp', 'desc']],
    n: null,
  })
})

test('what is no rison is undefined, and nothing is thrown', () => {
  for (const text of ['', '(', '(a)', '!(', "'a", '(a:1))', '!x', '('.repeat(10_000)])
    expect(readRison(text)).toBeUndefined()
  fc.assert(fc.property(fc.string(), (text) => void readRison(text)))
  fc.assert(fc.property(fc.stringMatching(/^[()!:,'tfna1]*$/), (text) => void readRison(text)))
})

test('every value comes back from what was written', () => {
  const value = fc.letrec<{ value: Rison }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    ),
  })).value
  fc.assert(
    fc.property(value, (one) => {
      expect(readRison(written(one))).toEqual(one)
    }),
  )
})

function written(value: Rison): string {
  if (typeof value === 'string') return `'${value.replaceAll(/[!']/g, '!$&')}'`
  if (typeof value === 'number') return String(value)
  if (value === null) return '!n'
  if (typeof value === 'boolean') return value ? '!t' : '!f'
  if (Array.isArray(value)) return `!(${value.map(written).join(',')})`
  return `(${Object.entries(value)
    .map(([key, one]) => `${written(key)}:${written(one)}`)
    .join(',')})`
}
