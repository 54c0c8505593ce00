import { bodyWithParameters } from '../api/search/search-parameters.ts'
import { answerOf } from './answer-of.ts'
import { openTestServices, type TestServices } from './search-services.ts'

/** The clock of the sample. */
const sampleNow = Date.UTC(2026, 10, 21, 12)

const mapping = {
  properties: {
    '@timestamp': { type: 'date' },
    message: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
    host: { properties: { name: { type: 'keyword' }, ip: { type: 'ip' } } },
    status: { type: 'long' },
    load: { type: 'double' },
    ok: { type: 'boolean' },
    tags: { type: 'keyword' },
  },
}
const documents: (readonly [string, unknown])[] = [
  [
    '1',
    {
      '@timestamp': '2026-11-21T10:00:00Z',
      message: 'Failed password for root',
      host: { name: 'web-1', ip: '10.0.0.1' },
      status: 200,
      load: 0.5,
      ok: true,
      tags: ['a', 'b'],
    },
  ],
  [
    '2',
    {
      '@timestamp': '2026-11-21T10:30:00Z',
      message: 'Accepted password for anna',
      host: { name: 'web-1', ip: '10.0.0.2' },
      status: 404,
      load: 1.5,
      ok: false,
      tags: 'a',
    },
  ],
  [
    '3',
    {
      '@timestamp': '2026-11-21T11:15:00Z',
      message: 'Connection closed by root user',
      host: { name: 'db-1', ip: ['10.1.0.1', '::1'] },
      status: 500,
      load: 2,
    },
  ],
  ['4', { '@timestamp': '2026-11-20T09:00:00Z', host: { name: 'db-2' }, status: 200, ok: true, tags: ['c', 'b', 'c'] }],
  ['5', { message: 'no time, password failed' }],
]

/** Services with a few documents in two indices of two tables. */
export interface SampleLogs {
  readonly services: TestServices
  /** The parsed answer of a search. */
  answer(body: unknown, query?: Record<string, unknown>, expression?: string): Promise<Record<string, unknown>>
  /** The aggregations of a search without hits. */
  aggs(aggregations: unknown, more?: Record<string, unknown>, expression?: string): Promise<unknown>
}

/** Opens the sample; the caller closes its services. */
export async function openSampleLogs(): Promise<SampleLogs> {
  const services = await openTestServices(() => sampleNow)
  await services.create('logs-1', mapping)
  await services.write('logs-1', documents)
  await services.create('other', {
    properties: {
      '@timestamp': { type: 'date' },
      status: { type: 'double' },
      host: { properties: { name: { type: 'keyword' } } },
    },
  })
  await services.write('other', [
    ['x', { '@timestamp': '2026-11-21T10:10:00Z', status: 200.5, host: { name: 'web-1' } }],
  ])
  const answer: SampleLogs['answer'] = (body, query = {}, expression = 'logs-1') =>
    answerOf(services, expression, bodyWithParameters(body, query), { query })
  return {
    services,
    answer,
    aggs: async (aggregations, more = {}, expression = 'logs-1') =>
      (await answer({ size: 0, aggs: aggregations, ...more }, {}, expression))['aggregations'],
  }
}
