import { expect, test } from 'vitest'
import { documentsCsv } from './documents-csv.ts'

const hit = (source: Record<string, unknown>) => ({ _index: 'logs', _id: '1', _source: source })

test('the time comes first, then the columns; a missing value is empty', () => {
  const hits = [hit({ '@timestamp': 't1', host: { name: 'a' }, tags: ['x', 'y'] }), hit({ '@timestamp': 't2' })]
  expect(documentsCsv(hits, { timeField: '@timestamp', columns: ['host.name', 'tags'] })).toBe(
    '@timestamp,host.name,tags\r\nt1,a,"x, y"\r\nt2,,\r\n',
  )
})

test('without columns every field of any document has one', () => {
  expect(documentsCsv([hit({ b: 1 }), hit({ a: { c: true } })], { timeField: undefined, columns: [] })).toBe(
    'a.c,b\r\n,1\r\ntrue,\r\n',
  )
})
