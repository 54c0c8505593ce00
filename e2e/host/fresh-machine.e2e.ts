import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '@logstack/process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootHost, type DebianHost, whyNoHost } from './debian-host.ts'

const reason = whyNoHost()
const checkout = new URL('../..', import.meta.url).pathname
const home = '/root/logstack'
// Above the ports of other tests, below those the system gives to outgoing connections.
const offset = 20_000 + 10 * (process.pid % 300)
let host: DebianHost

beforeAll(async () => {
  if (reason) return
  host = await bootHost('fresh')
  // What a user has after `git clone`: the files git tracks, nothing built, nothing installed.
  const tracked = await runCommand(['git', '-C', checkout, 'ls-files', '-z'], { timeoutMs: 30_000 })
  for (const file of tracked.stdout.split('\0').filter(Boolean))
    cpSync(join(checkout, file), join(host.root, home, file))
}, 1_200_000)

afterAll(async () => {
  if (reason) return
  await host.exec(['./logstack', 'down'], { cwd: home, timeoutMs: 60_000 })
  await host.down()
}, 120_000)

test.skipIf(reason)(
  'the two commands of the README work on a machine that has only Node and npm',
  async () => {
    const up = await host.exec(['./logstack', 'up', '--detach', '--port-offset', String(offset)], {
      cwd: home,
      timeoutMs: 600_000,
    })
    for (const part of ['search', 'endpoint-manager', 'dashboard', 'alerter', 'agent-server']) {
      expect(up).toMatch(new RegExp(`^\\s*logstack-${part} Up `, 'm'))
    }
    const verified = await host.exec(['./logstack', 'verify'], { cwd: home })
    expect(verified).toContain('ok')
  },
  700_000,
)

test.skipIf(reason)(
  'a line of the journal is in search a moment later, decoded',
  async () => {
    const line = 'Failed password for invalid user oracle from 203.0.113.77 port 50022 ssh2'
    await host.exec(['logger', '--tag', 'sshd', '--priority', 'auth.info', line])
    const query = JSON.stringify({ query: { term: { 'source.ip': '203.0.113.77' } } })
    const ask = `password=$(./logstack password show) && node -e '
    const https = require("node:https"), fs = require("node:fs")
    const ca = fs.readFileSync(process.argv[1])
    const request = https.request({ host: "127.0.0.1", port: ${9200 + offset}, path: "/logs-*/_search", method: "POST", ca,
      headers: { "content-type": "application/json", authorization: "Basic " + Buffer.from("elastic:" + process.env.PASSWORD).toString("base64") } },
      (answer) => answer.pipe(process.stdout))
    request.end(process.env.QUERY)' "$HOME/.local/share/logstack/opt/logstack/Chapter 3 Files/certs/root-ca.crt"`
    const script = `${ask.replace('&& node', '&& PASSWORD="$password" node')}`
    let answer: { hits: { hits: { _source: Record<string, unknown> }[] } } | undefined
    for (let tries = 0; tries < 60 && !answer?.hits.hits.length; tries += 1) {
      answer = JSON.parse(await host.exec(['env', `QUERY=${query}`, 'sh', '-c', script], { cwd: home }))
    }
    expect(answer?.hits.hits[0]?._source).toMatchObject({
      message: line,
      event: { category: ['authentication'], outcome: 'failure' },
    })
  },
  120_000,
)
