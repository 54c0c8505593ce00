import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Logger } from '@logstack/logging'
import type { Probe } from './health-probe.ts'

/** Where a part notes that it answers: the address it asks itself, and the file that `logstack-health` of the container reads. */
export interface HeartbeatPlace {
  readonly url: string
  readonly file: string
}

/** How often the part asks itself, and how long it waits for an answer. `scripts/logstack-health` takes a note for old after 10 seconds. */
const beat = { everyMs: 1_000, answerMs: 4_500 } as const

/**
 * Asks the part's own health address over TLS, as anyone else would, again and again, and notes each answer 200 in `file`: seconds since the
 * host started (`/proc/uptime`, which no change of the clock moves) and the address. While there is no such answer the note grows old, and
 * `file.problem` says why. Answers the function that ends it and takes the note away.
 */
export function startHeartbeat(place: HeartbeatPlace, probe: Probe, logger: Logger): () => void {
  let timer: NodeJS.Timeout | undefined
  let problem: string | undefined
  let stopped = false
  const ask = async (): Promise<void> => {
    const seen = await probe(place.url, beat.answerMs)
    if (stopped) return
    if (seen === undefined) replace(place.file, `${secondsSinceBoot()} ${place.url}\n`)
    else replace(`${place.file}.problem`, `${seen.replaceAll('\n', ' ')}\n`)
    if (seen !== problem && seen !== undefined) logger.warn({ problem: seen }, 'does not answer its own health address')
    if (seen === undefined && problem !== undefined) logger.info('answers its own health address again')
    problem = seen
    timer = setTimeout(ask, beat.everyMs).unref()
  }
  void ask()
  return () => {
    stopped = true
    clearTimeout(timer)
    rmSync(place.file, { force: true })
  }
}

function secondsSinceBoot(): number {
  return Math.floor(Number.parseFloat(readFileSync('/proc/uptime', 'utf8')))
}

// Whoever reads never finds half a note.
function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}
