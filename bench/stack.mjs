// A stack of its own for a measurement: started with the command a user types, asked over HTTPS, measured by what the kernel says.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const commandLimitMs = 15 * 60_000

export class Stack {
  constructor(checkout, dataDir, portOffset) {
    this.checkout = checkout
    this.dataDir = dataDir
    this.portOffset = portOffset
  }

  async command(...args) {
    const { stdout } = await run(join(this.checkout, 'logstack'), ['--data', this.dataDir, ...args], {
      cwd: this.checkout,
      timeout: commandLimitMs,
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout
  }

  /** Starts the stack and answers the seconds until everything is ready. */
  async up() {
    const from = performance.now()
    await this.command('up', '--detach', '--port-offset', String(this.portOffset))
    const seconds = (performance.now() - from) / 1000
    const ca = readFileSync(join(this.dataDir, 'opt/logstack/Chapter 3 Files/certs/root-ca.crt'))
    this.agent = new Agent({ ca, keepAlive: true, maxSockets: 4 })
    this.authorization = `Basic ${Buffer.from(`elastic:${(await this.command('password', 'show')).trim()}`).toString('base64')}`
    return seconds
  }

  async down() {
    this.agent?.destroy()
    await this.command('down')
  }

  /** Sends a request to search; answers its parsed body, or throws with it. */
  async send(method, path, body, contentType) {
    return JSON.parse(await this.text(method, path, body, contentType))
  }

  /** Sends a request to search; answers its body, or throws with it. */
  text(method, path, body, contentType = 'application/json') {
    const bytes = body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
    const headers = {
      authorization: this.authorization,
      ...(bytes ? { 'content-type': contentType, 'content-length': bytes.length } : {}),
    }
    return new Promise((resolve, reject) => {
      const port = 9200 + this.portOffset
      const outgoing = request({ agent: this.agent, host: '127.0.0.1', port, method, path, headers }, (incoming) => {
        const chunks = []
        incoming.on('data', (chunk) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          if (incoming.statusCode < 300) resolve(text)
          else reject(new Error(`${method} ${path}: ${incoming.statusCode} ${text.slice(0, 500)}`))
        })
      })
      outgoing.on('error', reject)
      outgoing.end(bytes)
    })
  }

  /** Resident memory of each part with its children, in MB: RSS, and PSS, which counts shared pages once. */
  async memory() {
    const list = JSON.parse(await this.command('status', '--json'))
    const parts = list.filter(({ pid }) => pid).map(({ part, pid }) => ({ part, ...memoryOf(pid) }))
    const sum = (key) => parts.reduce((total, part) => total + part[key], 0)
    return { parts, rssMb: sum('rssMb'), pssMb: sum('pssMb') }
  }

  /** What the data directory takes on disk, in bytes. */
  async diskBytes() {
    const { stdout } = await run('du', ['-s', '--block-size=1', join(this.dataDir, 'var/lib/logstack/volumes')])
    return Number(stdout.split('\t')[0])
  }
}

function memoryOf(pid) {
  const own = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kilobytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(own)?.[1] ?? 0)
  const total = { rssMb: kilobytes('Rss') / 1024, pssMb: kilobytes('Pss') / 1024 }
  for (const child of childrenOf(pid)) {
    const { rssMb, pssMb } = memoryOf(child)
    total.rssMb += rssMb
    total.pssMb += pssMb
  }
  return total
}

function childrenOf(pid) {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  )
}
