import { type AlertDocument, alertsIndex } from '@logstack/contracts'
import { ensureHiddenIndex, type SearchClient, sendBulk } from '@logstack/search-client'
import { expect } from 'vitest'

/** An alert that waits for somebody, as the alerter writes it. */
export async function seedAlert(client: SearchClient): Promise<void> {
  await ensureHiddenIndex(client, alertsIndex)
  const now = new Date().toISOString()
  const document: AlertDocument = {
    '@timestamp': now,
    event: { kind: 'alert' },
    rule: { id: 'repeated-failed-logins', name: 'Repeated failed logins' },
    message: '5 logins failed on web-1',
    host: { name: 'web-1' },
    logstack: {
      alert: {
        status: 'open',
        severity: 'high',
        reason: 'at least 5 events in 5 minutes',
        rule_type: 'frequency',
        key: 'web-1',
        key_field: 'host.name',
        count: 5,
        first_event: now,
        last_event: now,
        events: [],
        delivery: 'done',
        notifications: [{ channel: 'http_post', state: 'sent', attempts: 1, sent_at: now }],
      },
    },
  }
  const [result] = await sendBulk(client, [{ action: 'create', index: alertsIndex.name, document }], {
    refresh: 'true',
  })
  expect(result?.error).toBeUndefined()
}

/** 240 events of the last twelve minutes from three hosts, a quarter of them failed logins. */
export async function seedEvents(client: SearchClient): Promise<void> {
  const keyword = { type: 'keyword' }
  const properties = {
    '@timestamp': { type: 'date' },
    message: { type: 'text' },
    host: { properties: { name: keyword } },
    event: { properties: { dataset: keyword, category: keyword, outcome: keyword } },
    log: { properties: { level: keyword } },
    user: { properties: { name: keyword } },
    source: { properties: { ip: { type: 'ip' } } },
  }
  await client.request({ method: 'PUT', path: '/logs-system-default', body: { mappings: { properties } } })
  const actions = Array.from({ length: 240 }, (_, at) => ({
    action: 'create' as const,
    index: 'logs-system-default',
    document: eventAt(at),
  }))
  const results = await sendBulk(client, actions, { refresh: 'true' })
  expect(results.filter(({ status }) => status !== 201)).toEqual([])
}

function eventAt(at: number): unknown {
  const failed = at % 4 === 0
  const host = { name: `web-${(at * 7) % 3}` }
  const when = new Date(Date.now() - 5_000 - at * 3_000).toISOString()
  if (!failed) {
    const dataset = at % 3 === 0 ? 'system.journal' : 'system.syslog'
    const level = at % 40 === 1 ? 'error' : 'info'
    return { '@timestamp': when, host, event: { dataset }, log: { level }, message: `unit ${at} started` }
  }
  return {
    '@timestamp': when,
    host,
    event: { dataset: 'system.auth', category: 'authentication', outcome: 'failure' },
    log: { level: 'info' },
    user: { name: at % 8 === 0 ? 'root' : 'admin' },
    source: { ip: `203.0.113.${at % 5}` },
    message: `Failed password for ${at % 8 === 0 ? 'root' : 'admin'} from 203.0.113.${at % 5} port 4222 ssh2`,
  }
}
