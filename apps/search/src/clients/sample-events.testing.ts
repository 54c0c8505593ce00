/** An event that clients write and read back: a time, texts, an address, numbers, a list and objects in each other. */
export interface SampleEvent {
  readonly '@timestamp': string
  readonly message: string
  readonly level: 'error' | 'info'
  readonly n: number
  readonly source: { readonly ip: string; readonly port: number }
  readonly tags: readonly string[]
  readonly note: string | null
}

/** That many events, a second apart from 2026-11-21T08:00:00Z on; each tenth is an error. */
export function sampleEvents(count: number): SampleEvent[] {
  return Array.from({ length: count }, (_, at) => ({
    '@timestamp': new Date(Date.UTC(2026, 10, 21, 8, 0, at)).toISOString(),
    message: `event ${at} of "the test" – größer \\ 日本 ${'x'.repeat(at % 7)}`,
    level: at % 10 === 0 ? 'error' : 'info',
    n: at,
    source: { ip: `192.0.2.${at % 250}`, port: 1_024 + at },
    tags: at % 3 === 0 ? ['web', 'third'] : ['web'],
    note: at % 5 === 0 ? null : `line ${at}\nnext`,
  }))
}

/** What Elasticsearch would be told of them. */
export const sampleMappings = {
  properties: {
    '@timestamp': { type: 'date' },
    message: { type: 'text', fields: { raw: { type: 'keyword', ignore_above: 256 } } },
    level: { type: 'keyword' },
    n: { type: 'long' },
    source: { properties: { ip: { type: 'ip' }, port: { type: 'integer' } } },
    tags: { type: 'keyword' },
    note: { type: 'keyword' },
  },
}
