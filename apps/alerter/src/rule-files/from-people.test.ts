import { expect, test } from 'vitest'
import { readChannelsFile } from './channels-file.ts'
import { type ReadRule, readRule } from './read-rule.ts'

/** A rule of the dashboard beside a `channels.yml`. */
function read(rule: string, channels = 'alert: debug\n'): ReadRule {
  const of = readChannelsFile(channels)
  if ('problem' in of) throw new Error(of.problem.message)
  const text = `type: any\nindex: logs-*\n${rule}`
  return readRule('dashboard/own.yml', text, { defaults: of.file.defaults, isFromPeople: true })
}

function optionsOf(found: ReadRule): unknown {
  if (found.kind !== 'rule') throw new Error(JSON.stringify(found))
  return found.rule.channels[0]?.options
}

const refused = (message: string) => ({ kind: 'broken', problem: { message: expect.stringContaining(message) } })

test('runs no command, not even in the place of the one that channels.yml names for all rules', () => {
  expect(read('alert: command\ncommand: [touch, /tmp/x]\n')).toMatchObject(refused('runs programs'))
  expect(read('alert: $x$\nx: command\ncommand: [touch, /tmp/x]\n')).toMatchObject(refused('runs programs'))
  const channels = 'alert: command\ncommand: [logger, an alert]\n'
  expect(read('command: [touch, /tmp/x]\n', channels)).toMatchObject(refused('runs programs'))
  expect(optionsOf(read('', channels))).toMatchObject({ command: ['logger', 'an alert'] })
})

test.each(['smtp_auth_file', 'smtp_ca_file', 'smtp_cert_file', 'smtp_key_file', 'jira_account_file', 'syslog_ca_file'])(
  'reads no file of the host: %s',
  (key) => {
    expect(read(`alert: email\nemail: a@b.example\n${key}: /dev/zero\n`)).toMatchObject(
      refused(`[${key}] reads a file`),
    )
    expect(read(`alert: [{email: {email: a@b.example, ${key}: /dev/zero}}]\n`)).toMatchObject(refused(`[${key}]`))
  },
)

const mail =
  'alert: email\nemail: ops@b.example\nsmtp_host: mail.example\nsmtp_user: u\nsmtp_password: secret:alerter.smtp\n'

test.each([
  ['its own key', 'smtp_host: evil.example\n'],
  ['a key of its channel', 'alert: [{email: {smtp_host: evil.example}}]\n'],
  ['another port', 'smtp_port: 2525\n'],
])('does not get the password of the mail server sent to another one: %s', (_what, rule) => {
  const options = optionsOf(read(rule, mail))
  expect(options).toMatchObject({ email: ['ops@b.example'] })
  expect(options).not.toHaveProperty('smtp_user')
  expect(options).not.toHaveProperty('smtp_password')
})

test('sends with the password of the mail server what goes there', () => {
  const known = { smtp_host: 'mail.example', smtp_user: 'u', smtp_password: 'secret:alerter.smtp' }
  expect(optionsOf(read('', mail))).toMatchObject(known)
  expect(optionsOf(read('smtp_host: mail.example\nemail: me@b.example\n', mail))).toMatchObject(known)
})

test('does not get what channels.yml says within its list of channels sent elsewhere', () => {
  const inside = 'email: ops@b.example\nsmtp_host: mail.example\nalert: [{email: {smtp_user: u, smtp_password: pw}}]\n'
  expect(optionsOf(read('', inside))).toMatchObject({ smtp_password: 'pw' })
  expect(optionsOf(read('smtp_host: evil.example\n', inside))).not.toHaveProperty('smtp_password')
})

test.each([
  ['http_post', 'http_post_url: https://a.example/\nhttp_post_headers: {authorization: pw}\n', 'http_post_url'],
  ['post', 'http_post_url: https://a.example/\nhttp_post_headers: {authorization: pw}\n', 'http_post_url'],
  [
    'jira',
    'jira_server: https://a.example\njira_project: P\njira_issuetype: T\njira_user: u\njira_password: pw\n',
    'jira_server',
  ],
  ['opsgenie', 'opsgenie_key: pw\n', 'opsgenie_addr'],
  ['pagerduty', 'pagerduty_service_key: pw\n', 'pagerduty_url'],
  ['telegram', 'telegram_bot_token: pw\ntelegram_room_id: 1\n', 'telegram_api_url'],
])('gives secrets of %s to no other server', (channel, channels, address) => {
  const all = `alert: ${channel}\n${channels}`
  expect(JSON.stringify(optionsOf(read('', all)))).toContain('pw')
  expect(JSON.stringify(read(`${address}: https://evil.example/\n`, all))).not.toContain('pw')
})

test('cannot have a value of channels.yml written into its alerts', () => {
  const found = read(
    'alert_text: "{0}"\nalert_text_args: [slack_webhook_url]\n',
    'alert: slack\nslack_webhook_url: https://s.example/pw\n',
  )
  expect(found.kind === 'rule' ? found.rule.raw : found).not.toHaveProperty('slack_webhook_url')
})
