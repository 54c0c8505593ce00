import { describe, expect, test } from 'vitest'
import { readRule } from '../rule-files/read-rule.ts'
import { readEqlFilter, readEsqlFilter } from './language-query.ts'

describe('an esql filter', () => {
  test.each([
    ['from logs-*', 'from logs-* METADATA _id, _index\n| STATS BY _id, _index'],
    [
      'FROM a, b* // both\n| WHERE x == 1 // METADATA _id',
      'FROM a, b* METADATA _id, _index // both\n| WHERE x == 1 // METADATA _id\n| STATS BY _id, _index',
    ],
    [
      'from logs metadata _version, _id | keep host*, x',
      'from logs metadata _version, _id, _index | keep _id, _index, host*, x\n| STATS BY _id, _index',
    ],
    [
      'from logs [metadata _index, _id] | where a == "| keep b"',
      'from logs [metadata _index, _id] | where a == "| keep b"\n| STATS BY _id, _index',
    ],
  ])('%s answers what tells documents apart', (text, asked) => {
    expect(readEsqlFilter(text).text).toBe(asked)
  })

  test('says itself which indices it looks at', () => {
    expect(readEsqlFilter('from logs-a, "logs-b"').index).toBe('logs-a,logs-b')
  })

  test.each([
    ['from logs\n| where a == 1\n| stats n = count(*) by host', 'line 3:3: STATS'],
    ['from logs | limit 10', 'line 1:13: LIMIT'],
    ['from logs | sample 0.1', 'line 1:13: SAMPLE'],
    ['row a = 1', 'line 1:1: ROW'],
    ['show info', 'line 1:1: SHOW'],
    ['from logs metadata _id | drop _i*', 'line 1:26: keep _id and _index as they are'],
    ['from logs metadata _id | rename _id as id', 'line 1:26: keep _id'],
    ['from logs | eval _id = "x"', 'line 1:13: keep _id'],
    ['from logs | where a = 1', 'line 1:21: '],
  ])('%s is refused with its place', (text, reason) => {
    expect(() => readEsqlFilter(text)).toThrow(reason)
  })
})

describe('an eql filter', () => {
  test('is asked as it is', () => {
    const text = 'process where process.name : "a*" and not user.name in ("b", "c")'
    expect(readEqlFilter(text)).toEqual({ language: 'eql', text })
  })

  test.each([
    ['sequence by host.name [a where true] [b where true]', 'sequence finds several events'],
    ['sample by host.name [a where true] [b where true]', 'sample finds several events'],
    ['any where true | head 5', 'line 1:18: head leaves events out'],
    ['any where a ==', 'line 1:15: '],
    ["any where a == 'b'", 'line 1:16: '],
  ])('%s is refused', (text, reason) => {
    expect(() => readEqlFilter(text)).toThrow(reason)
  })
})

describe('rules', () => {
  const head = 'type: any\nindex: of-the-rule\nalert: debug\n'
  const read = (text: string) => {
    const found = readRule('test', text)
    return found.kind === 'broken' ? found.problem : found.kind === 'rule' ? found.rule : found.kind
  }

  test('have one query beside clauses of the query DSL, and what it asks of', () => {
    const eql = read(`${head}filter:\n- term: {a: b}\n- query: {eql: any where true}\n- kql: "c: d"\n`)
    expect(eql).toMatchObject({ query: { language: 'eql', text: 'any where true', index: 'of-the-rule' } })
    expect(eql).toMatchObject({ index: 'of-the-rule', filter: [{ term: { a: 'b' } }, expect.anything()] })
    const esql = read(`${head}filter:\n- esql: from of-the-query\n`)
    expect(esql).toMatchObject({ index: 'of-the-query', filter: [], query: { index: 'of-the-query' } })
  })

  test('start anew when their query changes', () => {
    const [one, other] = ['a', 'b'].map((name) => read(`${head}filter:\n- eql: any where ${name} == 1\n`))
    expect(one).toHaveProperty('fingerprint')
    expect(one).not.toHaveProperty('fingerprint', (other as { fingerprint: string }).fingerprint)
  })

  test.each([
    ['filter:\n- eql: any where true\n- esql: from logs\n', { line: 4, message: expect.stringMatching('found 2') }],
    ['filter:\n- eql: [1]\n', { line: 5, message: expect.stringMatching('takes the text of a query') }],
    [
      'filter:\n- term: {a: 1}\n- esql: |\n    from x\n    | stats count(*)\n',
      { line: 6, message: expect.stringMatching('line 2:3: STATS') },
    ],
  ])('are refused for %s', (lines, problem) => {
    expect(read(head + lines)).toMatchObject(problem)
  })

  test.each([
    [
      'type: metric_aggregation\nmetric_agg_key: a\nmetric_agg_type: avg\nmax_threshold: 1\n',
      'metric_aggregation cannot be combined with an eql filter',
    ],
    [
      'type: percentage_match\nmatch_bucket_filter: {term: {a: 1}}\nmax_percentage: 1\n',
      'percentage_match cannot be combined',
    ],
    [
      'type: frequency\nnum_events: 2\ntimeframe: {minutes: 1}\nuse_count_query: true\n',
      'use_count_query cannot be combined',
    ],
    [
      'type: frequency\nnum_events: 2\ntimeframe: {minutes: 1}\nuse_terms_query: true\nquery_key: a\n',
      'use_terms_query cannot be combined',
    ],
  ])('that let search count or sum up are refused: %s', (lines, message) => {
    expect(read(`${lines}index: a\nalert: debug\nfilter:\n- eql: any where true\n`)).toMatchObject({
      line: `${lines}index: a\nalert: debug\n`.split('\n').length,
      message: expect.stringContaining(message),
    })
  })

  test('of percentages take a query as their filter alone', () => {
    const text = `type: percentage_match\nmax_percentage: 1\nindex: a\nalert: debug\nmatch_bucket_filter: {eql: any where true}\n`
    expect(read(text)).toMatchObject({ line: 5, message: expect.stringContaining('filter of a rule only') })
  })
})
