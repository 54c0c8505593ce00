import { createSocket } from 'node:dgram'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { createLogger } from '@logstack/logging'
import { type TempDir, tempDir, testCertificates } from '@logstack/testkit'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { alertOf } from '../alerts/alert-document.ts'
import { messageOf } from '../alerts/message.ts'
import { readRule } from '../rule-files/read-rule.ts'
import type { ChannelContext, Message } from './define-channel.ts'

interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

let server: Server
let base: string
let received: Received[]
let answer: (request: Received) => { status: number; body?: unknown }
let temporary: TempDir
const written: unknown[] = []

beforeAll(async () => {
  temporary = tempDir('logstack-channels')
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { method = '', url = '', headers } = request
      const call = { method, url, headers, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) }
      received.push(call)
      const { status, body } = answer(call)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? { ok: true }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

beforeEach(() => {
  received = []
  written.length = 0
  answer = () => ({ status: 200 })
})

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  temporary.remove()
})

const context = (timeoutMs = 60_000): ChannelContext => ({
  logger: createLogger('test', 'silent'),
  webhookUrl: '',
  timeoutMs,
  signal: new AbortController().signal,
  readFile: (path) => readFileSync(join(temporary.path, path), 'utf8'),
  readSecret: (name) => (name === 'alerter.token' ? 'the-secret' : `${base}/${name.slice('alerter.'.length)}`),
  writeDocument: async (index, id, document) => {
    written.push({ index, id, document })
  },
})

/** Sends the alert of a rule whose file ends with these lines. */
async function send(lines: string, timeoutMs?: number): Promise<{ said: string; message: Message }> {
  const read = readRule('r', `name: Logins\ntype: any\nindex: logs\npriority: 3\n${lines}`)
  if (read.kind !== 'rule') throw new Error(JSON.stringify(read))
  const { rule } = read
  const source = { '@timestamp': '2026-01-01T00:00:00Z', host: { name: 'web1' }, user: { name: 'eve' }, owner: 'ops' }
  const event = { index: 'logs', id: 'e1', seqNo: 1, time: 0, key: '', source }
  const match = { event, time: 0, key: '', marks: [event], count: 1, reason: 'An event matched' }
  const alert = alertOf(rule, match, { now: 0, webhookUrl: '', found: {}, aggregate: undefined, silenced: undefined })
  const message = messageOf(alert.id, [alert], rule.text)
  const [channel] = rule.channels
  if (!channel) throw new Error('no channel')
  return { said: await channel.channel.send(message, channel.options, context(timeoutMs)), message }
}

describe('chat', () => {
  test('slack', async () => {
    await send(
      `alert: slack\nslack_webhook_url: ${base}/slack\nslack_alert_fields: [{title: Host, value: host.name, short: true}]\n`,
    )
    expect(received[0]?.body).toMatchObject({
      attachments: [
        {
          color: 'danger',
          title: 'Logins',
          text: expect.stringContaining('An event matched'),
          fields: [{ title: 'Host', value: 'web1', short: true }],
        },
      ],
    })
  })

  test('mattermost', async () => {
    await send(`alert: mattermost\nmattermost_webhook_url: ${base}/mm\nmattermost_channel_override: '#alerts'\n`)
    expect(received[0]?.body).toMatchObject({
      channel: '#alerts',
      attachments: [{ title: 'Logins', text: expect.stringContaining('web1') }],
    })
  })

  test('discord calls nobody by name', async () => {
    await send(`alert: discord\ndiscord_webhook_url: ${base}/discord\n`)
    expect(received[0]?.body).toMatchObject({
      content: ':warning: Logins :warning:',
      allowed_mentions: { parse: [] },
      embeds: [{ description: expect.stringContaining('web1') }],
    })
  })

  test('telegram, with its token from a secret', async () => {
    await send(
      `alert: telegram\ntelegram_bot_token: secret:alerter.token\ntelegram_room_id: -100\ntelegram_api_url: ${base}\n`,
    )
    expect(received[0]).toMatchObject({
      url: '/botthe-secret/sendMessage',
      body: { chat_id: -100, text: expect.stringContaining('Logins'), parse_mode: 'markdown' },
    })
  })

  test('teams, as an adaptive card of a workflow', async () => {
    await send(
      `alert: ms_power_automate\nms_power_automate_webhook_url: secret:alerter.teams\nms_power_automate_alert_facts: [{name: Host, value: host.name}]\n`,
    )
    expect(received[0]).toMatchObject({
      url: '/teams',
      body: {
        type: 'message',
        attachments: [
          {
            content: {
              type: 'AdaptiveCard',
              body: [{ text: 'Logins' }, {}, { facts: [{ title: 'Host', value: 'web1' }] }],
            },
          },
        ],
      },
    })
  })
})

describe('incidents and tickets', () => {
  test('pagerduty, v1 and v2, under the id of the alert', async () => {
    const { message } = await send(
      `alert: pagerduty\npagerduty_service_key: k\npagerduty_client_name: c\npagerduty_url: ${base}/pd\n`,
    )
    expect(received[0]?.body).toMatchObject({ service_key: 'k', incident_key: message.id, event_type: 'trigger' })
    await send(
      `alert: pagerduty\npagerduty_service_key: k\npagerduty_api_version: v2\npagerduty_url: ${base}/pd\npagerduty_incident_key: 'h {0}'\npagerduty_incident_key_args: [host.name]\npagerduty_v2_payload_custom_details: {Host: host.name}\n`,
    )
    expect(received[1]?.body).toMatchObject({
      routing_key: 'k',
      dedup_key: 'h web1',
      payload: { summary: 'Logins', custom_details: { Host: 'web1' } },
    })
  })

  test('opsgenie', async () => {
    answer = () => ({ status: 202 })
    const { message } = await send(
      `alert: opsgenie\nopsgenie_key: secret:alerter.token\nopsgenie_addr: ${base}/og\nopsgenie_priority: P2\nopsgenie_tags: ['host {host.name}']\nopsgenie_teams: [ops]\n`,
    )
    expect(received[0]?.headers.authorization).toBe('GenieKey the-secret')
    expect(received[0]?.body).toMatchObject({
      alias: message.id,
      priority: 'P2',
      tags: ['host web1', 'Logins'],
      responders: [{ name: 'ops', type: 'team' }],
    })
  })

  test('jira makes one issue, however often it is asked', async () => {
    writeFileSync(join(temporary.path, 'jira.yml'), 'user: bot\npassword: pw\n')
    const lines = `alert: jira\njira_server: ${base}/\njira_project: OPS\njira_issuetype: Bug\njira_account_file: jira.yml\njira_labels: [siem]\n`
    answer = ({ method }) => ({ status: method === 'GET' ? 200 : 201, body: { issues: [], key: 'OPS-1' } })
    const { message } = await send(lines)
    expect(received.map(({ method }) => method)).toEqual(['GET', 'POST'])
    expect(received[1]?.headers.authorization).toBe(`Basic ${Buffer.from('bot:pw').toString('base64')}`)
    expect(received[1]?.body).toMatchObject({
      fields: { project: { key: 'OPS' }, summary: 'Logins', labels: ['siem', `logstack-${message.id}`] },
    })
    answer = () => ({ status: 200, body: { issues: [{ key: 'OPS-1' }] } })
    expect((await send(lines)).said).toBe('OPS-1 was there already')
    expect(received.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET'])
  })

  test('servicenow', async () => {
    const { message } = await send(
      `alert: servicenow\nservicenow_rest_url: ${base}/sn\nusername: u\npassword: p\nshort_description: s\ncomments: c\nassignment_group: g\ncategory: k\nsubcategory: b\ncmdb_ci: i\ncaller_id: d\n`,
    )
    expect(received[0]?.body).toMatchObject({
      short_description: 's',
      correlation_id: message.id,
      description: expect.stringContaining('web1'),
    })
  })
})

describe('plain', () => {
  test('post sends the match, or what the rule names of it', async () => {
    await send(`alert: post\nhttp_post_url: ${base}/p\nhttp_post_static_payload: {from: logstack}\n`)
    expect(received[0]?.body).toMatchObject({ host: { name: 'web1' }, _id: 'e1', from: 'logstack' })
    await send(`alert: post\nhttp_post_url: ${base}/p\nhttp_post_payload: {who: user.name}\n`)
    expect(received[1]?.body).toEqual({ who: 'eve' })
  })

  test('a refusal says what came back and names the host only', async () => {
    answer = () => ({ status: 403, body: { error: 'no such hook' } })
    const sent = send(`alert: slack\nslack_webhook_url: ${base}/services/T0/secret\n`)
    await expect(sent).rejects.toMatchObject({
      code: 'notify_failed',
      message: expect.stringMatching(/^127\.0\.0\.1:\d+ answered 403: .*no such hook/),
    })
    await expect(sent).rejects.not.toMatchObject({ message: expect.stringContaining('T0') })
  })

  test('command gets the match on its input and its fields as arguments, never through a shell', async () => {
    const file = join(temporary.path, 'out')
    const program = `const fs=require('fs');fs.writeFileSync(${JSON.stringify(file)}, process.argv[1]+'|'+fs.readFileSync(0))`
    const { said } = await send(
      `alert: command\ncommand: [${JSON.stringify(process.execPath)}, -e, ${JSON.stringify(program)}, '{user.name};x %(host.name)s']\npipe_match_json: true\n`,
    )
    expect(said).toContain('ended with 0')
    expect(readFileSync(file, 'utf8')).toMatch(/^\{user\.name\};x web1\|\[\{"@timestamp"/)
  })

  test('a command line with fields is refused: an event must not become a command', () => {
    const read = readRule('r', 'type: any\nindex: logs\nalert: command\ncommand: "logger {user.name}"\n')
    expect(read).toMatchObject({ kind: 'broken', problem: { line: 4, message: expect.stringContaining('is a list') } })
  })

  test('indexer writes under the id of the alert', async () => {
    const { message } = await send('alert: indexer\n')
    expect(written).toMatchObject([
      { index: '.logstack-alerts-matches', id: message.alerts[0].id, document: { rule_name: 'Logins' } },
    ])
  })

  test('syslog over UDP and TCP', async () => {
    const socket = createSocket('udp4')
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    const line = new Promise<string>((resolve) => socket.once('message', (bytes) => resolve(bytes.toString())))
    await send(`alert: syslog\nsyslog_host: 127.0.0.1\nsyslog_port: ${socket.address().port}\n`)
    expect(await line).toMatch(
      /^<131>1 1970-01-01T00:00:00\.000Z \S+ logstack \d+ alert \[alert@32473 id="\S+" rule="r" severity="high"\] \ufeffLogins: An event matched$/u,
    )
    socket.close()
    const tcp = createTcpServer()
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
    const stream = new Promise<string>((resolve) => {
      tcp.once('connection', (connection) => {
        let text = ''
        connection.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        connection.once('end', () => resolve(text))
      })
    })
    await send(
      `alert: syslog\nsyslog_host: 127.0.0.1\nsyslog_protocol: tcp\nsyslog_port: ${(tcp.address() as AddressInfo).port}\n`,
    )
    expect(await stream).toMatch(/^\d+ <131>1 .*An event matched$/su)
    await new Promise((resolve) => tcp.close(resolve))
  })
})

describe('mail', () => {
  async function mailServer(options: ConstructorParameters<typeof SMTPServer>[0]) {
    const mails: string[] = []
    const logins: string[] = []
    const smtp = new SMTPServer({
      onAuth: ({ username = '', password = '' }, _session, done) => {
        logins.push(`${username}:${password}`)
        if (password === 'right') done(null, { user: username })
        else done(new Error('wrong password'))
      },
      onData: (stream, _session, done) => {
        let text = ''
        stream.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        stream.on('end', () => {
          mails.push(text)
          done()
        })
      },
      ...options,
    })
    smtp.on('error', () => undefined)
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
    const { port } = smtp.server.address() as AddressInfo
    return { mails, logins, port, close: () => new Promise<void>((resolve) => smtp.close(resolve)) }
  }

  test('STARTTLS and a password, subject, receivers and an id', async () => {
    const { cert, key, ca } = await testCertificates()
    writeFileSync(join(temporary.path, 'ca.pem'), ca)
    writeFileSync(join(temporary.path, 'smtp.yml'), 'user: bot\npassword: right\n')
    const smtp = await mailServer({ cert, key })
    const { said, message } = await send(
      `alert: email\nemail: [a@example.org, b@example.org]\ncc: c@example.org\nsmtp_host: localhost\nsmtp_port: ${smtp.port}\nsmtp_auth_file: smtp.yml\nsmtp_ca_file: ca.pem\nalert_subject: 'Logins of {0}'\nalert_subject_args: [user.name]\n`,
    )
    expect(said).toMatch(/^localhost answered 250/)
    expect(smtp.logins).toEqual(['bot:right'])
    expect(smtp.mails[0]).toContain('Subject: Logins of eve')
    expect(smtp.mails[0]).toContain('To: a@example.org, b@example.org')
    expect(smtp.mails[0]).toContain(`Message-ID: <${message.id}@logstack>`)
    await smtp.close()
  })

  test('a wrong password says so and does not show it', async () => {
    const { cert, key, ca } = await testCertificates()
    writeFileSync(join(temporary.path, 'ca.pem'), ca)
    const smtp = await mailServer({ cert, key })
    const sent = send(
      `alert: email\nemail: a@example.org\nsmtp_host: localhost\nsmtp_port: ${smtp.port}\nsmtp_user: bot\nsmtp_password: not-this\nsmtp_ca_file: ca.pem\n`,
    )
    await expect(sent).rejects.toMatchObject({
      code: 'notify_failed',
      message: expect.stringContaining('wrong password'),
    })
    await expect(sent).rejects.not.toMatchObject({ message: expect.stringContaining('not-this') })
    await smtp.close()
  })

  test('no password is sent to a server without TLS', async () => {
    const smtp = await mailServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
    const sent = send(
      `alert: email\nemail: a@example.org\nsmtp_host: localhost\nsmtp_port: ${smtp.port}\nsmtp_user: bot\nsmtp_password: right\n`,
    )
    await expect(sent).rejects.toMatchObject({ code: 'notify_failed' })
    expect([smtp.logins, smtp.mails]).toEqual([[], []])
    await smtp.close()
  })
})
