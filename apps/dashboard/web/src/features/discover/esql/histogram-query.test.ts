import { expect, test } from 'vitest'
import { histogramQuery } from './histogram-query.ts'

const interval = (text: string) => ({ text, ms: 1, calendar: false })

test('documents are counted over time, before the LIMIT and whatever their order', () => {
  expect(histogramQuery('FROM a | WHERE x == 1 | SORT @timestamp | LIMIT 10', '@timestamp', interval('30s'))).toEqual({
    esql: 'FROM a\n| WHERE x == 1\n| STATS results = COUNT(*) BY timestamp = BUCKET(@timestamp, 30 seconds)',
    isBeforeLimit: true,
  })
  expect(histogramQuery('FROM a', 't', interval('1M'))).toEqual({
    esql: 'FROM a\n| STATS results = COUNT(*) BY timestamp = BUCKET(t, 1 month)',
    isBeforeLimit: false,
  })
})

test.each([
  'FROM a | STATS n = COUNT(*) BY @timestamp',
  'FROM a | LIMIT 10 | WHERE x == 1',
  'FROM a | MV_EXPAND x',
  'ROW x = 1',
  '',
])('%s has no bars', (esql) => {
  expect(histogramQuery(esql, '@timestamp', interval('30s'))).toBeUndefined()
})
