import { expect, test } from 'vitest'
import { Correlations } from './correlations.ts'
import { readSigma } from './read-sigma.ts'
import { assembleRules } from './rule-set.ts'

const minute = 60_000
const base = (name: string) =>
  `title: ${name}\nid: id-${name}\nname: ${name}\nlogsource: {product: test}\ndetection:\n  s: {f: ${name}}\n  condition: s\n`

function start(
  correlation: string,
  saved?: unknown,
  entriesMax = 1000,
  forgot: (title: string) => unknown = () => undefined,
): Correlations {
  const read = readSigma('file', [base('a'), base('b'), base('c'), correlation].join('---\n'))
  if ('problem' in read) throw new Error(`${read.problem.line}: ${read.problem.message}`)
  const limits = { entriesMax, forgot: ({ title }: { title: string }) => forgot(title) }
  return new Correlations(assembleRules(read.documents).correlations, limits, saved)
}

let next = 0
function feed(
  correlations: Correlations,
  name: string,
  time: number,
  fields: Record<string, string> = {},
  id = `e${next++}`,
) {
  const rule = { id: `id-${name}`, name }
  // As whoever keeps no more of an event than is asked for.
  const kept = correlations.fieldsOf(rule)
  const finding = { ...rule, valueOf: (field: string) => (kept.includes(field) ? fields[field] : undefined) }
  return correlations
    .add({ index: 'logs', id, time }, [finding])
    .map(({ correlation, key, count }) => [correlation.title, key.join(), count])
}

const correlationOf = (type: string, more: string) =>
  `title: C\nid: c\nname: many\ncorrelation:\n  type: ${type}\n  rules: [a, id-b]\n  timespan: 5m\n${more}`

test('event_count counts the events of a group within the timespan, each once', () => {
  const counts = start(correlationOf('event_count', '  group-by: [user]\n  condition: {gte: 3}\n'))
  expect(feed(counts, 'a', 0, { user: 'x' }, 'one')).toEqual([])
  expect(feed(counts, 'a', 0, { user: 'x' }, 'one')).toEqual([])
  expect(feed(counts, 'b', minute, { user: 'x' })).toEqual([])
  expect(feed(counts, 'a', minute, { user: 'y' })).toEqual([])
  expect(feed(counts, 'c', minute, { user: 'x' })).toEqual([])
  expect(feed(counts, 'a', 5 * minute, { user: 'x' })).toEqual([['C', 'x', 3]])
  expect(feed(counts, 'a', 5 * minute, { user: 'x' })).toEqual([])
  expect(feed(counts, 'a', 20 * minute, { user: 'y' })).toEqual([])
})

test('value_count counts different values, value_sum and value_avg reckon with them', () => {
  const different = start(correlationOf('value_count', '  condition: {field: port, gt: 2}\n'))
  expect(['80', '80', '81', '82'].map((port) => feed(different, 'a', 0, { port }).length)).toEqual([0, 0, 0, 1])
  const sum = start(correlationOf('value_sum', '  condition: {field: bytes, gt: 100}\n'))
  expect(['60', 'x', '41'].map((bytes) => feed(sum, 'a', 0, { bytes }).length)).toEqual([0, 0, 1])
  const mean = start(correlationOf('value_avg', '  condition: {field: bytes, gte: 50}\n'))
  expect(['10', '80', '90'].map((bytes) => feed(mean, 'a', 0, { bytes }).length)).toEqual([0, 0, 1])
})

test('temporal wants all rules in any order, temporal_ordered in theirs', () => {
  const any = start(correlationOf('temporal', '  group-by: [host]\n'))
  expect([feed(any, 'b', 0, { host: 'h' }), feed(any, 'a', minute, { host: 'h' })]).toEqual([[], [['C', 'h', 2]]])
  const ordered = start(correlationOf('temporal_ordered', ''))
  expect([feed(ordered, 'b', 0), feed(ordered, 'a', minute)]).toEqual([[], []])
  expect(feed(ordered, 'b', 2 * minute)).toEqual([['C', '', 2]])
})

test('aliases name the field of each rule', () => {
  const counts = start(
    correlationOf('temporal', '  group-by: [ip]\n  aliases:\n    ip: {a: source, id-b: destination}\n'),
  )
  expect(feed(counts, 'a', 0, { source: '10.0.0.1' })).toEqual([])
  expect(feed(counts, 'b', 0, { destination: '10.0.0.2' })).toEqual([])
  expect(feed(counts, 'b', 0, { destination: '10.0.0.1' })).toEqual([['C', '10.0.0.1', 2]])
})

test('a correlation may build on another', () => {
  const chained = `${correlationOf('event_count', '  group-by: [user]\n  condition: {gte: 2}\n')}---
title: Then
id: then
correlation:
  type: temporal_ordered
  rules: [many, id-c]
  group-by: [user]
  timespan: 5m
`
  const counts = start(chained)
  feed(counts, 'a', 0, { user: 'x' })
  expect(feed(counts, 'a', 1, { user: 'x' })).toEqual([['C', 'x', 2]])
  expect(feed(counts, 'c', 2, { user: 'x' })).toEqual([['Then', 'x', 2]])
})

test('goes on from what it saved, through JSON', () => {
  const text = correlationOf('event_count', '  condition: {gte: 2}\n')
  const before = start(text)
  feed(before, 'a', 0)
  const after = start(text, JSON.parse(JSON.stringify(before.save())))
  expect(feed(after, 'a', 1)).toEqual([['C', '', 2]])
})

test('drops the groups unseen for longest when there is too much to hold', () => {
  const counts = start(correlationOf('event_count', '  group-by: [user]\n  condition: {gte: 2}\n'), undefined, 2)
  for (const user of ['x', 'y', 'z']) feed(counts, 'a', 0, { user })
  expect(feed(counts, 'a', 1, { user: 'x' })).toEqual([])
  expect(feed(counts, 'a', 1, { user: 'z' })).toEqual([['C', 'z', 2]])
})

test('says that a group was dropped that still counted, and nothing of one whose time was over', () => {
  const told: string[] = []
  const text = correlationOf('event_count', '  group-by: [user]\n  condition: {gte: 2}\n')
  const counts = start(text, undefined, 2, (title) => told.push(title))
  for (const [at, user] of ['v', 'w', 'x', 'y'].entries()) feed(counts, 'a', at * 4 * minute, { user })
  expect(told).toEqual([])
  feed(counts, 'a', 13 * minute, { user: 'z' })
  expect(told).toEqual(['C'])
})

test('rules that only feed a correlation raise no alerts of their own unless it says so', () => {
  const silentOf = (more: string) => {
    const read = readSigma('file', [base('a'), base('b'), correlationOf('temporal', more)].join('---\n'))
    return 'problem' in read ? read : [...assembleRules(read.documents).silent].sort()
  }
  expect(silentOf('')).toEqual(['id-a', 'id-b'])
  expect(silentOf('  generate: true\n')).toEqual([])
})

test('a correlation whose rule is not there is said so, and those that build on it', () => {
  const read = readSigma('file', [base('a'), correlationOf('temporal', '')].join('---\n'))
  expect('documents' in read && assembleRules(read.documents).unusable.map(({ reason }) => reason)).toEqual([
    'it names the rule [id-b], which is not there',
  ])
})

test('an old count behind a condition is a correlation', () => {
  const text =
    'title: Old\nid: old\nlogsource: {product: test}\ndetection:\n  s: {f: a}\n  timeframe: 5m\n  condition: s | count(port) by host, user > 2\n'
  const read = readSigma('file', text)
  expect(read).toMatchObject({
    documents: [
      { kind: 'rule', id: 'old/events' },
      {
        kind: 'correlation',
        id: 'old',
        type: 'value_count',
        rules: ['old/events'],
        groupBy: ['host', 'user'],
        fields: ['port'],
        timespanMs: 5 * minute,
        condition: { gt: 2 },
      },
    ],
  })
})

test('a flood of one value neither hides the values among it nor is kept whole', () => {
  const different = start(correlationOf('value_count', '  group-by: [from]\n  condition: {field: port, gte: 4}\n'))
  const from = { from: '10.0.0.1' }
  for (const port of ['80', '81']) expect(feed(different, 'a', 0, { ...from, port })).toEqual([])
  for (let n = 0; n < 2_000; n += 1) expect(feed(different, 'a', minute, { ...from, port: '22' })).toEqual([])
  expect(JSON.stringify(different.save()).length).toBeLessThan(50_000)
  expect(feed(different, 'a', 2 * minute, { ...from, port: '82' })).toEqual([['C', '10.0.0.1', 4]])
})
