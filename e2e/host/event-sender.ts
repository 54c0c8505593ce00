import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { OperatorHost } from './installed-host.ts'

/** Numbered events that are sent to search on a host all the while, each again and again until search has acknowledged it. */
export interface EventSender {
  /** Waits until events that were not sent before this call are acknowledged, and answers the numbers that are not in search. */
  lost(): Promise<number[]>
  stop(): Promise<void>
}

const index = 'fault-events'
const program = '/root/event-sender.mjs'
const state = '/root/event-sender.json'
const unit = 'event-sender.service'
const waitLimitMs = 180_000

/** Starts the sender as a unit of the host. */
export async function startSender(host: OperatorHost): Promise<EventSender> {
  writeFileSync(join(host.root, program), source)
  await host.run('systemd-run', `--unit=${unit}`, '--collect', 'node', program)
  const acknowledged = async (): Promise<number> => {
    const text = await host.shell(`cat ${state} 2>/dev/null || echo 0`)
    return Number(text)
  }
  return {
    async lost() {
      const before = await acknowledged()
      const end = Date.now() + waitLimitMs
      // One event may have been under way before: the second one after it was sent later.
      while ((await acknowledged()) < before + 2) {
        if (Date.now() > end) {
          throw new Error(
            `no event gets in any more: ${await host.shell(`journalctl -u ${unit} -n 5 -o cat --no-pager`)}`,
          )
        }
        await delay(250)
      }
      const sent = await acknowledged()
      const present = new Set(await presentNumbers(host, sent))
      return Array.from({ length: sent }, (_, at) => at + 1).filter((number) => !present.has(number))
    },
    async stop() {
      await host.shell(`systemctl stop ${unit} || true`)
    },
  }
}

/** The numbers in search up to `sent`, each once for every document that holds it. */
async function presentNumbers(host: OperatorHost, sent: number): Promise<number[]> {
  const answer = await host.shell(`node ${program} present ${sent}`)
  return JSON.parse(answer) as number[]
}

const source = `
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { request } from 'node:https'

const passwordOf = () => execFileSync('logstack', ['password', 'show'], { encoding: 'utf8' }).trim()
let password

function ask(method, path, body) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: 'Basic ' + Buffer.from('elastic:' + password).toString('base64'), 'content-type': 'application/json' }
    const outgoing = request('https://127.0.0.1:9200' + path, { method, headers, rejectUnauthorized: false, agent: false, timeout: 20000 }, (incoming) => {
      let text = ''
      incoming.on('data', (chunk) => { text += chunk })
      incoming.on('end', () => resolve({ status: incoming.statusCode, text }))
      incoming.on('error', reject)
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')))
    outgoing.on('error', reject)
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

async function attempt(number) {
  try {
    password ??= passwordOf()
    const { status, text } = await ask('PUT', '/${index}/_create/' + number, { number, '@timestamp': new Date().toISOString() })
    // A conflict says that an earlier attempt got in whose answer was lost.
    if (status === 201 || status === 409) return true
    if (status === 401) password = undefined
    console.log(number + ': ' + status + ' ' + text.slice(0, 300))
  } catch (thrown) {
    console.log(number + ': ' + thrown.message.slice(0, 300))
  }
  return false
}

async function present(sent) {
  password = passwordOf()
  await ask('POST', '/${index}/_refresh')
  const numbers = []
  for (let from = 0; from < sent; from += 5000) {
    const query = { range: { number: { gt: from, lte: Math.min(from + 5000, sent) } } }
    const { status, text } = await ask('POST', '/${index}/_search', { query, size: 5000, _source: ['number'] })
    if (status !== 200) throw new Error(text)
    numbers.push(...JSON.parse(text).hits.hits.map((hit) => hit._source.number))
  }
  return numbers
}

if (process.argv[2] === 'present') {
  console.log(JSON.stringify(await present(Number(process.argv[3]))))
} else {
  for (let number = 1; ; number += 1) {
    while (!(await attempt(number))) await new Promise((resolve) => setTimeout(resolve, 500))
    writeFileSync('${state}', String(number))
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
`
