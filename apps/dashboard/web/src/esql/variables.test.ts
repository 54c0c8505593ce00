import { expect, test } from 'vitest'
import { esqlQuestion } from './question.ts'
import { readChoices, variablesIn, writeChoices } from './variables.ts'

const by = { name: 'by', value: { identifier: 'host.name' } }
const host = { name: 'host', value: 'web' }

test('a query gets the parameters that it names, outside its texts and comments', () => {
  const names = (esql: string) => variablesIn(esql, [by, host]).map(({ name }) => name)
  expect(names('FROM a | STATS COUNT(*) BY ??by')).toEqual(['by'])
  expect(names('FROM a | WHERE h == ?host AND x == "?by" // ??by')).toEqual(['host'])
  expect(names('FROM a | WHERE h == ?hosts')).toEqual([])
  expect(names('FROM a | STATS COUNT(*) BY `?by`')).toEqual([])
})

test('chosen parameters stand beside those of the time range', () => {
  const range = { fromMs: 0, toMs: 1000 }
  const shared = { timeField: undefined, range, queries: [], filters: [], types: new Map<string, string>() }
  const esql = 'FROM a | WHERE t > ?_tstart AND h == ?host'
  expect(esqlQuestion({ ...shared, esql, variables: [by, host] }).params).toEqual([
    { _tstart: '1970-01-01T00:00:00.000Z' },
    { _tend: '1970-01-01T00:00:01.000Z' },
    { host: 'web' },
  ])
  expect(esqlQuestion({ ...shared, esql: 'FROM a', variables: [by, host] })).toEqual({ query: 'FROM a' })
})

test('choices come back from the address as they were written', () => {
  const choices = { host: ['web', 'db'], by: ['a b'] }
  expect(readChoices(writeChoices(choices))).toEqual(choices)
  expect(writeChoices({})).toBeUndefined()
  for (const text of [undefined, '', 'x', '[]', 'null', '{"a":1,"b":[2],"c":"x"}'])
    expect(readChoices(text)).toEqual({})
})
