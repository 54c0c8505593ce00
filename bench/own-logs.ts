import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { journalEvent } from '../apps/agent/src/inputs/journald/journal-event.ts'
import { readRule } from '../apps/alerter/src/rule-files/read-rule.ts'
import { elastAlertMatches, type TestedEvent } from '../apps/alerter/src/shipped-elastalert.testing.ts'
import { readDecoderFiles } from '../apps/endpoint-manager/src/decoders/decoder-file.ts'
import { Decoders } from '../apps/endpoint-manager/src/decoders/decoders.ts'
import { type DetectionSet, readDetections } from '../apps/endpoint-manager/src/detections/detection-set.ts'
import { Detector, detectorBounds } from '../apps/endpoint-manager/src/detections/detector.ts'
import { buildDocument } from '../apps/endpoint-manager/src/documents/build-document.ts'

// False alarms on logs of hosts that nobody attacks: `node tools/run-ts.mjs bench/own-logs.ts JOURNAL_DIR…`, folders as in /var/log/journal, each of
// one host. Every entry goes the way of an agent's event: read, decoded, shown to the shipped rules of both folders and to the one of ElastAlert's
// form that looks at logs (the others look at metrics, or for silence, which an agent's metrics break). Prints each alert.

const silenceMs = 3_600_000
const folders = process.argv.slice(2)
if (folders.length === 0) throw new Error('usage: bench/own-logs.ts JOURNAL_DIR…')

/** The rules of `folder`, which is read as detections are. */
function rulesOf(folder: string): DetectionSet {
  const work = mkdtempSync(join(tmpdir(), 'logstack-own-logs-'))
  try {
    cpSync(join('rules', folder), join(work, 'detections'), { recursive: true })
    cpSync('rules/mappings', join(work, 'mappings'), { recursive: true })
    return readDetections(work)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

const sets = ['sigma', 'detections'].map((folder) => ({ folder, set: rulesOf(folder) }))
const logins = readRule('repeated-failed-logins', readFileSync('rules/alerts/repeated-failed-logins.yml', 'utf8'))
if (logins.kind !== 'rule') throw new Error('BUG: the shipped rule is broken')
const decoders = new Decoders(readDecoderFiles('rules/decoders').files)
let [entries, decodedEntries, hours, alerts] = [0, 0, 0, 0]

for (const folder of folders) {
  const detectors = sets.map(
    ({ set }) =>
      new Detector(set, { ...detectorBounds, silenceMs: () => silenceMs, now: Date.now, forgot: () => undefined }),
  )
  const child = spawn('journalctl', [`--directory=${folder}`, '--output=json', '--all', '--no-pager'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const events: TestedEvent[] = []
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = journalEvent(line)
    if (entry === undefined) continue
    const time = Date.parse(String(entry.event['@timestamp']))
    first = Math.min(first, time)
    last = Math.max(last, time)
    entries++
    const fields = { ...entry.event, host: { name: folder } }
    const raw = { type: 'logs' as const, dataset: 'system.journal', fields, collected: time }
    const { index, document, decoded } = buildDocument(raw, decoders, time)
    if (decoded) decodedEntries++
    events.push({ time, source: document })
    for (const match of detectors.flatMap((detector) => detector.inspect({ index, id: entry.cursor, document }))) {
      alerts++
      console.log(`${match.rule.title}: ${String(document['message']).slice(0, 200)}`)
    }
  }
  for (const { event } of elastAlertMatches(logins.rule, events, 0)) {
    alerts++
    console.log(`${logins.rule.name}: ${JSON.stringify(event?.source).slice(0, 200)}`)
  }
  if (last > 0) hours += (last - first) / 3_600_000
}
const rules = sets.map(({ set }) => set.alerting.size).reduce((sum, count) => sum + count, 1)
console.log(
  `${rules} rules, ${folders.length} hosts, ${hours.toFixed(1)} hours, ${entries} entries (${decodedEntries} decoded): ${alerts} alerts`,
)
