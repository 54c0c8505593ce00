import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DebianHost } from './debian-host.ts'
import type { OperatorHost } from './installed-host.ts'

/** How long it took from something that happened on an endpoint until a search found it, in milliseconds, a value a round. */
export interface EventDelay {
  readonly kind: string
  readonly ms: readonly number[]
}

type Made = readonly [kind: string, name: string, at: number]

const kinds = ['journal', 'auth log', 'file change', 'package install', 'failed login'] as const
const limitMs = 300_000

/** Makes each kind of event on the endpoint `rounds` times, while a search on the stack's machine looks for them; both share a clock. */
export async function eventDelays(stack: OperatorHost, endpoint: DebianHost, rounds: number): Promise<EventDelay[]> {
  writeFileSync(join(endpoint.root, 'root/make-events.mjs'), maker)
  writeFileSync(join(stack.root, 'root/find-events.mjs'), finder)
  const found = stack.run('node', '/root/find-events.mjs', String(rounds * kinds.length))
  const options = { timeoutMs: limitMs }
  const made = JSON.parse(await endpoint.exec(['node', '/root/make-events.mjs', String(rounds)], options)) as Made[]
  const seen = new Map(JSON.parse(await found) as [string, number][])
  return kinds.map((kind) => ({
    kind,
    ms: made.flatMap(([of, name, at]) => {
      const foundAt = of === kind ? seen.get(name) : undefined
      return foundAt === undefined ? [] : [foundAt - at]
    }),
  }))
}

/** The delays as a Markdown table: median, 95th percentile, greatest. */
export function delayTable(delays: readonly EventDelay[]): string {
  const rows = [...delays, { kind: 'all', ms: delays.flatMap(({ ms }) => ms) }].map(({ kind, ms }) => {
    const sorted = [...ms].sort((left, right) => left - right)
    const at = (part: number): number => Math.round(sorted[Math.ceil(sorted.length * part) - 1] ?? 0)
    return `| ${kind} | ${sorted.length} | ${at(0.5)} | ${at(0.95)} | ${at(1)} |`
  })
  return ['| event | times | median, ms | p95, ms | longest, ms |', '|---|---|---|---|---|', ...rows].join('\n')
}

// Names hold no part of each other, and are one word wherever texts are cut into words.
const maker = `
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
const rounds = Number(process.argv[2])
const made = []
const run = (...argv) => execFileSync(argv[0], argv.slice(1), { stdio: ['ignore', 'ignore', 'ignore'] })
const wrongPassword = (name) => {
  const { status } = spawnSync('runuser', ['-u', 'nobody', '--', 'su', name, '-c', 'true'], { input: 'wrong\\n', stdio: ['pipe', 'ignore', 'ignore'] })
  if (status === 0 || status === null) throw new Error('su took a wrong password, or did not run')
}
const makers = {
  journal: (name) => run('logger', '--tag', 'delay', name),
  // As sudo itself does: the line reaches search through the journal, and once, though rsyslog may write it to auth.log as well.
  'auth log': (name) => run('logger', '--priority', 'authpriv.notice', '--tag', 'sudo', name + ' : TTY=pts/0 ; PWD=/ ; USER=root ; COMMAND=/usr/bin/id'),
  'file change': (name) => writeFileSync('/etc/' + name, 'x'),
  'package install': (name) => run('dpkg', '--install', '/root/' + name + '.deb'),
  'failed login': wrongPassword,
}
const nameOf = (kind, round) => 'delay' + kind.replace(' ', '') + round + 'x'
for (let round = 0; round < rounds; round += 1) {
  const name = nameOf('package install', round)
  mkdirSync('/root/' + name + '/DEBIAN', { recursive: true })
  writeFileSync('/root/' + name + '/DEBIAN/control', 'Package: ' + name + '\\nVersion: 1\\nArchitecture: all\\nMaintainer: test <test@example.org>\\nDescription: test\\n')
  run('dpkg-deb', '--build', '/root/' + name)
  run('useradd', nameOf('failed login', round))
}
// What the agent collected at its start is no part of the measure.
const pending = () => JSON.parse(execFileSync('/usr/lib/logstack-agent/run', ['status', '--json'], { encoding: 'utf8' })).last?.pending ?? Infinity
for (const end = Date.now() + 120000; Date.now() < end; ) {
  await new Promise((resolve) => setTimeout(resolve, 12000))
  if (pending() < 50) break
}
for (let round = 0; round < rounds; round += 1) {
  for (const [kind, make] of Object.entries(makers)) {
    const name = nameOf(kind, round)
    const at = Date.now()
    make(name)
    made.push([kind, name, at])
    await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 700))
  }
}
console.log(JSON.stringify(made))
`

const finder = `
import { execFileSync } from 'node:child_process'
import { Agent, request } from 'node:https'
const wanted = Number(process.argv[2])
const password = execFileSync('./logstack', ['password', 'show'], { encoding: 'utf8' }).trim()
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false })
const headers = { authorization: 'Basic ' + Buffer.from('elastic:' + password).toString('base64'), 'content-type': 'application/json' }
const ask = (path, body) => new Promise((resolve, reject) => {
  const outgoing = request('https://localhost:9200' + path, { method: 'POST', headers, agent }, (incoming) => {
    let text = ''
    incoming.on('data', (chunk) => { text += chunk })
    incoming.on('end', () => resolve(JSON.parse(text)))
  })
  outgoing.on('error', reject)
  outgoing.end(JSON.stringify(body))
})
const seen = new Map()
// The newest events, whatever they are: looking for texts in all of them would cost the search more than the events themselves.
const body = { size: 300, sort: [{ 'event.ingested': 'desc' }], track_total_hits: false, query: { range: { 'event.ingested': { gte: 'now-30s' } } } }
const isWanted = {
  journal: () => true,
  authlog: () => true,
  filechange: () => true,
  packageinstall: (text) => / installed? /.test(text),
  failedlogin: (text) => /authentication failure|FAILED SU/.test(text),
}
for (const end = Date.now() + 280000; seen.size < wanted && Date.now() < end; ) {
  const answer = await ask('/logs-*/_search', body)
  const at = Date.now()
  for (const { _source } of answer.hits?.hits ?? []) {
    const text = JSON.stringify(_source)
    for (const [name, kind] of text.matchAll(/delay(journal|authlog|filechange|packageinstall|failedlogin)\\d+x/g)) {
      if (!seen.has(name) && isWanted[kind](text)) seen.set(name, at)
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 50))
}
console.log(JSON.stringify([...seen]))
`
