import { type OpenedEsql, openedEsql } from '../opened-esql.fixture.ts'

const mapping = {
  properties: {
    n: { type: 'integer' },
    s: { type: 'keyword' },
    m: { type: 'text' },
    l: { type: 'long' },
    d: { type: 'double' },
    t: { type: 'date' },
    ip: { type: 'ip' },
    b: { type: 'boolean' },
    v: { type: 'version' },
    e: { type: 'text', analyzer: 'english' },
  },
} as const

/** Single values, none, lists, and the edges of what there is. */
const documents = [
  {
    n: 1,
    s: 'a',
    m: 'quick brown fox',
    l: 10,
    d: 1.5,
    t: '2026-01-01',
    ip: '10.0.0.1',
    b: true,
    v: '1.2.3',
    e: 'running foxes',
  },
  { n: 2 },
  {
    n: 3,
    s: ['b', 'a', '😀'],
    m: ['lazy dog', 'quick'],
    l: [3, 1, 2, 2],
    d: [1, 2.5],
    t: ['2026-01-02', '2026-01-03'],
    ip: ['10.0.0.2', '2001:db8::1'],
    b: [true, false],
  },
  { n: 4, s: '', m: '', l: '9223372036854775807', d: 0, ip: '192.168.1.77', b: false },
] as const

/** Opens an index `logs` of four documents for the tests of a file; answers what gives the rows of a query. */
export function openLogs(): OpenedEsql['rows'] {
  return openedEsql(mapping, documents, { index: 'logs' }).rows
}
