import { expect, test } from 'vitest'
import { readRule } from '../rule-files/read-rule.ts'
import { alertOf } from './alert-document.ts'

/** What an alert of a silence copies from its rule's key, as there is no event to copy from. */
function copiedOf(queryKey: string, key: string): object {
  const text = `type: flatline\nindex: logs\nthreshold: 1\ntimeframe: {minutes: 10}\nquery_key: ${queryKey}\nalert: debug\n`
  const read = readRule('silent', text)
  if (read.kind !== 'rule') throw new Error(JSON.stringify(read))
  const match = { time: 0, key, marks: [], count: 0, reason: 'nothing came' }
  const circumstances = { now: 0, webhookUrl: '', found: {}, aggregate: undefined, silenced: undefined }
  const { host, user, source } = alertOf(read.rule, match, circumstances).document
  return { ...(host && { host }), ...(user && { user }), ...(source && { source }) }
}

test.each([
  ['host.name', 'web1', { host: { name: 'web1' } }],
  ['host.name.keyword', 'web1', { host: { name: 'web1' } }],
  ['user.name', 'Doe, Jane', { user: { name: 'Doe, Jane' } }],
  ['[host.name, system.filesystem.mount_point]', 'web1, /var', { host: { name: 'web1' } }],
  ['[host.name, source.ip]', 'web1, 192.0.2.1', { host: { name: 'web1' }, source: { ip: '192.0.2.1' } }],
  ['[host.name, user.name]', 'web1, Doe, Jane', {}],
  ['[host.name, user.name]', '<MISSING VALUE>, ann', { user: { name: 'ann' } }],
  ['event.dataset', 'web1', {}],
])('an alert without an event, by %s of %s, says whom it is about', (queryKey, key, copied) => {
  expect(copiedOf(queryKey, key)).toEqual(copied)
})
