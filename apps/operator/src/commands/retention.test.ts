import { describe, expect, it } from 'vitest'
import { changeOf, renderPurge, renderRetention } from './retention.ts'

const gibibyte = 1024 ** 3

describe('retention', () => {
  it('shows what is kept and what it takes', () => {
    const retention = { max_age: '90d', patterns: { 'audit-*': 'never' }, max_disk_share: '80%', keep_at_least: '1d' }
    const disk = {
      total_in_bytes: 100 * gibibyte,
      free_in_bytes: 10 * gibibyte,
      data_in_bytes: 81 * gibibyte,
      data_may_take_in_bytes: 80 * gibibyte,
      to_free_in_bytes: gibibyte,
    }
    expect(renderRetention({ retention, disk })).toEqual([
      'events are kept          90d',
      '  audit-*                for ever',
      'share of the disk        80% (80.0 GiB)',
      'kept in any case         1d',
      'events take              81.0 GiB: 1.0 GiB too much, the oldest go first',
      'free on the disk         10.0 GiB of 100.0 GiB',
    ])
    const leap = { offset_in_millis: 365 * 86_400_000, until: '2027-11-28T10:00:00.000Z' }
    expect(renderRetention({ retention, disk, clock_leap: leap }).at(-1)).toBe(
      'the clock leapt          365 days ahead: by age nothing goes until 2027-11-28T10:00:00.000Z',
    )
  })

  it('is set as a whole or for a pattern, which "default" takes back', () => {
    expect(changeOf({ maxAge: '30d', diskShare: '70%' })).toEqual({ max_age: '30d', max_disk_share: '70%' })
    expect(changeOf({ maxAge: '7d', index: 'a-*' })).toEqual({ patterns: { 'a-*': '7d' } })
    expect(changeOf({ maxAge: 'default', index: 'a-*' })).toEqual({ patterns: { 'a-*': null } })
    expect(changeOf({})).toEqual({})
  })

  it('says what a purge deleted, or would delete', () => {
    const indices = [{ index: 'logs-1', documents: 2, bytes: 3 * gibibyte }]
    const events = [{ index: 'syslog', documents: 1, before: '2026-01-01T00:00:00.000Z' }]
    expect(renderPurge({ indices, events }, { olderThan: '30d', dryRun: true })).toEqual([
      'logs-1: the index, 2 events, 3.0 GiB',
      'syslog: 1 event before 2026-01-01T00:00:00.000Z',
      'would delete 3 events, 1 whole index of 3.0 GiB',
    ])
    expect(renderPurge({ indices: [], events: [] }, { olderThan: '30d', dryRun: false })).toEqual([
      'no event is older than 30d',
    ])
  })
})
