import type { AlertDocument } from '@logstack/contracts'
import { expect, test } from 'vitest'
import { discoverSearch } from './discover-search.ts'

const patterns = [
  { id: 'metrics', title: 'metrics-*' },
  { id: 'both', title: 'winlogbeat-*, logs-*' },
]

function alertOf(events: { index: string; id: string }[], more: object = {}): AlertDocument {
  const times = { first_event: '2026-01-01T00:00:00.000Z', last_event: '2026-01-01T00:05:00.000Z' }
  return { logstack: { alert: { ...times, events, ...more } } } as unknown as AlertDocument
}

test('shows the events of an alert by their ids, in the pattern that holds their index', () => {
  const event = { index: '.ds-logs-system.auth-default-2026.01.01-000001', id: 'a' }
  const found = new URLSearchParams(discoverSearch(alertOf([event]), patterns))
  expect(Object.fromEntries(found)).toEqual({
    from: '2025-12-31T23:59:59.000Z',
    to: '2026-01-01T00:05:01.000Z',
    index: 'both',
    filters: '[{"field":"_id","values":["a"]}]',
  })
})

test('shows many events, or none, by the key', () => {
  const events = Array.from({ length: 60 }, (_, n) => ({ index: 'logs-x', id: String(n) }))
  const found = new URLSearchParams(discoverSearch(alertOf(events, { key: 'web1', key_field: 'host.name' }), patterns))
  expect(found.get('filters')).toBe('[{"field":"host.name","value":"web1"}]')
  const compound = discoverSearch(alertOf([], { key: 'a, b', key_field: 'a,b' }), patterns)
  expect(new URLSearchParams(compound).has('filters')).toBe(false)
})
