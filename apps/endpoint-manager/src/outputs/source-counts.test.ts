import { describe, expect, it } from 'vitest'
import { getField } from '../ecs/fields.ts'
import type { OutputDocument } from './search-output.ts'
import { SourceCounts } from './source-counts.ts'

const now = Date.parse('2026-11-22T03:30:00Z')
const event = (host: string, dataset: string, more: object = {}) => ({
  id: 'x',
  index: `logs-${dataset}-default`,
  document: {
    '@timestamp': '2026-11-22T03:29:58Z',
    data_stream: { type: 'logs', dataset, namespace: 'default' },
    host: { name: host },
    ...more,
  },
})

function count(counts: SourceCounts, events: readonly OutputDocument[]): void {
  for (const event of events)
    counts.look(event)?.(Date.parse(String(event.document['@timestamp'])), () => event.document)
}

describe('counts of sources', () => {
  it('are by host and data set, with what was not understood and the longest way', () => {
    const counts = new SourceCounts(() => now)
    count(counts, [
      event('a', 'nginx.access'),
      event('a', 'nginx.access', { tags: ['unparsed'] }),
      event('b', 'syslog'),
    ])
    count(counts, [event('b', 'syslog', { '@timestamp': '2026-11-22T03:29:00Z' })])
    expect(counts.take().map(({ index, document }) => [index, document['host'], document['logstack']])).toEqual([
      [
        'metrics-logstack.sources-default',
        { name: 'a' },
        { source: { dataset: 'nginx.access', events: 2, unparsed: 1, lag_ms: 2_000, lag_ms_min: 2_000 } },
      ],
      [
        'metrics-logstack.sources-default',
        { name: 'b' },
        { source: { dataset: 'syslog', events: 2, unparsed: 0, lag_ms: 60_000, lag_ms_min: 2_000 } },
      ],
    ])
    expect(counts.take()).toEqual([])
  })

  it('do not count themselves, and a clock that is ahead has no lag', () => {
    const counts = new SourceCounts(() => now)
    count(counts, [event('a', 'syslog', { '@timestamp': '2026-11-22T04:00:00Z' })])
    const [own] = counts.take()
    expect(own?.document['logstack']).toMatchObject({ source: { lag_ms: 0, lag_ms_min: -1_800_000 } })
    if (own) count(counts, [own])
    expect(counts.take()).toEqual([])
  })

  it('say how far the clock of a host is off whose agent said so in that minute', () => {
    const counts = new SourceCounts(() => now)
    counts.heard('a', -3_600_000)
    count(counts, [event('a', 'syslog'), event('b', 'syslog')])
    const offsets = () =>
      counts.take().map(({ document }) => [document['host'], getField(document, 'logstack.source.clock_offset_ms')])
    expect(offsets()).toEqual([
      [{ name: 'a' }, -3_600_000],
      [{ name: 'b' }, undefined],
    ])
    count(counts, [event('a', 'syslog')])
    expect(offsets()).toEqual([[{ name: 'a' }, undefined]])
  })

  it('have a limit', () => {
    const counts = new SourceCounts(() => now)
    count(
      counts,
      Array.from({ length: 6_000 }, (_, n) => event(`host${n}`, 'syslog')),
    )
    const taken = counts.take()
    expect(taken).toHaveLength(5_001)
    expect(taken.at(-1)?.document['logstack']).toMatchObject({ source: { events: 1_000 } })
  })
})
