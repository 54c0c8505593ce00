// The corpus: bulk bodies in a file, documents in the shape of the big5 workload (Elastic's `template.tpl`), the same for the same seed.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

const bodyDocumentsMax = 5000
const startMs = Date.UTC(2023, 0, 1)
const spanMs = 13 * 86_400_000
const processes = ['kernel', 'systemd', 'sshd', 'cron', 'nginx', 'dockerd', 'auditd']
const animals = [
  'monkey',
  'jackal',
  'bear',
  'shark',
  'dagger',
  'knight',
  'spirit',
  'bird',
  'fox',
  'owl',
  'wolf',
  'crab',
]
const colours = ['indigo', 'solar', 'ember', 'frost', 'amber', 'jade', 'onyx', 'coral', 'misty', 'silver']

/** The mapping the documents are sent into. */
export const mapping = {
  properties: {
    '@timestamp': { type: 'date' },
    message: { type: 'text' },
    log: { properties: { file: { properties: { path: { type: 'keyword' } } } } },
    process: { properties: { name: { type: 'keyword' } } },
    cloud: { properties: { region: { type: 'keyword' } } },
    aws: {
      properties: { cloudwatch: { properties: { log_stream: { type: 'keyword' }, log_group: { type: 'keyword' } } } },
    },
    host: { properties: { name: { type: 'keyword' } } },
    agent: {
      properties: {
        id: { type: 'keyword' },
        name: { type: 'keyword' },
        type: { type: 'keyword' },
        version: { type: 'keyword' },
      },
    },
    event: { properties: { id: { type: 'keyword' }, dataset: { type: 'keyword' } } },
    trace_id: { type: 'keyword' },
    metrics: { properties: { size: { type: 'long' }, tmin: { type: 'long' } } },
    tags: { type: 'keyword' },
  },
}

/** What is counted of the documents as they are written, to check what searches find. */
class Counts {
  documents = 0
  sshd = 0
  twoDays = 0
  kernelInTwoDays = 0
  animals = 0
  /** Of which a field is or a message has the word. */
  monkeys = 0
  /** Whose message has a word with these letters in it. */
  onkeys = 0
  traceId = ''

  add(document) {
    this.documents += 1
    const isEarly = document['@timestamp'] < '2023-01-03T00:00:00'
    const words = new Set(document.message.toLowerCase().split(/[^a-z0-9]+/))
    if (document.process.name === 'sshd') this.sshd += 1
    if (isEarly) this.twoDays += 1
    if (isEarly && document.process.name === 'kernel') this.kernelInTwoDays += 1
    if (['monkey', 'jackal', 'bear'].some((animal) => words.has(animal))) this.animals += 1
    if (words.has('monkey') || document['aws.cloudwatch'].log_stream === 'monkey') this.monkeys += 1
    if ([...words].some((word) => word.includes('onkey'))) this.onkeys += 1
    this.traceId = document.trace_id
  }
}

/**
 * Writes `count` documents as bulk bodies of 5,000, spread over `spanMs` from `startMs` on; answers where each body is, how many bytes the documents
 * alone have, and what was counted of them.
 */
export function writeCorpus(file, count, seed, span = { startMs, spanMs }) {
  const random = xoshiro(seed)
  const pick = (list) => list[Math.floor(random() * list.length)]
  const words = Array.from(
    { length: 1500 },
    (_, at) => [...animals, ...colours][at] ?? `${pick(colours)}${pick(animals)}`,
  )
  const descriptor = openSync(file, 'w')
  const bodies = []
  let offset = 0
  let documentBytes = 0
  const counts = new Counts()
  for (let from = 0; from < count; from += bodyDocumentsMax) {
    const lines = []
    for (let at = from; at < Math.min(count, from + bodyDocumentsMax); at += 1) {
      const document = documentAt(span.startMs + Math.floor((at / count) * span.spanMs), random, pick, words)
      counts.add(document)
      const line = JSON.stringify(document)
      documentBytes += line.length
      lines.push('{"create":{}}', line)
    }
    const body = Buffer.from(`${lines.join('\n')}\n`)
    writeSync(descriptor, body)
    bodies.push({ offset, length: body.length })
    offset += body.length
  }
  closeSync(descriptor)
  return { bodies, documentBytes, count, counts }
}

/** The same of documents that a file holds, one a line; they go to dynamic mapping. */
export function copyCorpus(file, from) {
  const documents = readFileSync(from, 'utf8').trimEnd().split('\n')
  const descriptor = openSync(file, 'w')
  const bodies = []
  let offset = 0
  let documentBytes = 0
  for (let at = 0; at < documents.length; at += bodyDocumentsMax) {
    const lines = documents.slice(at, at + bodyDocumentsMax)
    for (const line of lines) documentBytes += Buffer.byteLength(line)
    const body = Buffer.from(lines.map((line) => `{"create":{}}\n${line}\n`).join(''))
    writeSync(descriptor, body)
    bodies.push({ offset, length: body.length })
    offset += body.length
  }
  closeSync(descriptor)
  return { bodies, documentBytes, count: documents.length }
}

function documentAt(ms, random, pick, words) {
  const below = (limit) => Math.floor(random() * limit)
  const skewed = (limit) => Math.floor(random() * random() * limit)
  const time = new Date(ms + below(2000)).toISOString()
  const process = pick(processes)
  const ip = `ip-${below(256)}-${below(256)}-${below(256)}-${below(256)}`
  const text = Array.from({ length: 3 + below(8) }, () => words[skewed(words.length)]).join(' ')
  const host = below(1000)
  const stream = words[skewed(words.length)]
  return {
    '@timestamp': time,
    'aws.cloudwatch': { log_stream: stream, log_group: '/var/log/messages', ingestion_time: time },
    cloud: {
      region: `${pick(['us', 'eu', 'ap', 'sa', 'af'])}-${pick(['east', 'west', 'north', 'south', 'central'])}-1`,
    },
    log: { file: { path: `/var/log/messages/${stream}` } },
    meta: { file: time },
    message: `${time} ${time.slice(5, 16)} ${ip} ${process}: ${text} ${pick(colours)} ${pick(animals)}`,
    process: { name: process },
    host: { name: `host-${host}`, os: { family: 'debian', platform: 'linux', version: '12' } },
    agent: {
      id: `b9ef0eb5-0000-4000-8000-00000000000${host % 10}`,
      name: `agent-${host}`,
      type: 'filebeat',
      version: '8.8.0',
    },
    event: { id: `event-${below(1500)}`, dataset: 'generic', ingested: time },
    ecs: { version: '8.0.0' },
    data_stream: { dataset: 'generic', namespace: 'default', type: 'logs' },
    trace_id: `${hex(random)}${hex(random)}${hex(random)}${hex(random)}`,
    metrics: { size: 1000 + below(9000), tmin: 1 + below(2000) },
    tags: ['preserve_original_event', 'forwarded'],
  }
}

function hex(random) {
  return Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')
}

// xoshiro128**: small, fast, the same everywhere (Blackman and Vigna, 2018).
function xoshiro(seed) {
  const state = Uint32Array.of(seed, 0x9e3779b9, 0x243f6a88, 0xb7e15162)
  const rotate = (value, by) => ((value << by) | (value >>> (32 - by))) >>> 0
  const next = () => {
    const result = Math.imul(rotate(Math.imul(state[1], 5), 7), 9) >>> 0
    const shifted = state[1] << 9
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = rotate(state[3], 11)
    return result / 2 ** 32
  }
  for (let round = 0; round < 20; round += 1) next()
  return next
}
