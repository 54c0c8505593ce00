import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@logstack/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, hasProgram, type Stack, startStack } from './stack.ts'

// Debian's rsyslog with its own Elasticsearch output, configured as its documentation says, sends this host's syslog.
const skip = (await hasProgram('rsyslogd')) ? false : 'rsyslogd is not installed'

let stack: Stack
const folder = mkdtempSync(join(tmpdir(), 'logstack-rsyslog-'))

beforeAll(async () => {
  if (!skip) stack = await startStack()
})
afterAll(async () => {
  if (!skip) await stack.down()
  rmSync(folder, { recursive: true, force: true })
})

function configuration(port: number): string {
  const { hostname, port: searchPort } = new URL(stack.searchUrl)
  return `
module(load="imudp")
module(load="omelasticsearch")
input(type="imudp" address="127.0.0.1" port="${port}")
template(name="event" type="list") {
  constant(value="{")
  constant(value="\\"@timestamp\\":\\"") property(name="timereported" dateFormat="rfc3339")
  constant(value="\\",\\"host\\":{\\"name\\":\\"") property(name="hostname" format="json")
  constant(value="\\"},\\"message\\":\\"") property(name="msg" format="json")
  constant(value="\\"}\\n")
}
template(name="index" type="string" string="rsyslog-%$year%.%$month%.%$day%")
action(type="omelasticsearch" server="https://${hostname}" serverport="${searchPort}" uid="elastic" pwd="${stack.password}"
  template="event" searchIndex="index" dynSearchIndex="on" bulkmode="on" tls.cacert="${stack.dataDir}/opt/logstack/Chapter 3 Files/certs/root-ca.crt"
  errorfile="${folder}/errors.json")
`
}

test.skipIf(skip)(`rsyslog's Elasticsearch output delivers syslog lines${skip ? ` (${skip})` : ''}`, async () => {
  const port = await freePort()
  const file = join(folder, 'rsyslog.conf')
  writeFileSync(file, configuration(port), { mode: 0o600 })
  const rsyslog = spawn('rsyslogd', ['-n', '-f', file, '-i', join(folder, 'rsyslog.pid')], { stdio: 'ignore' })
  const socket = createSocket('udp4')
  try {
    const found = await eventually('the line arrives in search', 120_000, async () => {
      socket.send(
        `<38>${new Date().toISOString()} gateway sshd[42]: Accepted publickey for "admin" from 192.0.2.7`,
        port,
        '127.0.0.1',
      )
      const answer = await stack.search('POST', '/rsyslog-*/_search', {
        query: { match_phrase: { message: 'publickey for' } },
      })
      const { hits } = answer.body as { hits: { hits: { _source: { host: { name: string }; message: string } }[] } }
      return hits.hits[0]
    })
    expect(found._source.host.name).toBe('gateway')
    expect(found._source.message).toContain('Accepted publickey for "admin" from 192.0.2.7')
  } finally {
    socket.close()
    rsyslog.kill('SIGKILL')
  }
})
