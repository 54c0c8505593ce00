import { expect, test } from 'vitest'
import { makeRedactor } from './redact.ts'

const key = `-----BEGIN PRIVATE KEY-----\n${'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg'}\n-----END PRIVATE KEY-----\n`
const redact = makeRedactor([
  { name: 'elastic', value: `S3cr"et's $x` },
  { name: 'logstack_agents_ca_key', value: key },
])

test.each([
  ['as it is', `login with S3cr"et's $x failed`],
  ['in JSON', JSON.stringify({ detail: `S3cr"et's $x` })],
  ['in a URL', `https://h/?q=${encodeURIComponent(`S3cr"et's $x`)}`],
  ['in Basic authentication', `Authorization: Basic ${Buffer.from(`elastic:S3cr"et's $x`).toString('base64')}`],
  ['as base64 alone', Buffer.from(`elastic:S3cr"et's $x`).toString('base64')],
  ['a key', key],
  ['a line of a key', 'x MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg y'],
])('a secret of the vault goes %s', (_form, text) => {
  const shown = redact(text)
  expect(shown).toContain('<redacted>')
  expect(shown).not.toContain('S3cr')
  expect(shown).not.toContain('MIGHAgEAMBMG')
  expect(shown).not.toContain(Buffer.from('elastic:S3cr').toString('base64').slice(0, 12))
})

test.each([
  ['smtp_password: hunter2'],
  ['slack_webhook_url: https://hooks.example/T0/hunter2'],
  ['"api_key":"hunter2"'],
  ['TOKEN=hunter2'],
  [`client_secret = 'hunter2 and more'`],
  ['proxy: http://user:hunter2@proxy:3128'],
  ['Authorization: ApiKey hunter2hunter2'],
])('what looks like one goes: %s', (text) => {
  expect(redact(text)).not.toContain('hunter2')
})

test('the rest stays, also the names of settings and secrets', () => {
  const text =
    '# security.token_lifetime_ms is explained here\nhttp.port: 9200\nquery_key: user.name\nsecret logstack_alerter'
  expect(redact(text)).toBe(text)
})

test('a line of hundreds of thousands of letters is read once', () => {
  const line = 'x'.repeat(512 * 1024)
  expect(redact(`${line} token=hunter2`)).toBe(`${line} token=<redacted>`)
})
