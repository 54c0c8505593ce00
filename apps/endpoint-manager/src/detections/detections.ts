import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { alertsIndex } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { ensureHiddenIndex, type SearchClient } from '@logstack/search-client'
import { BackgroundWriter } from '../outputs/background-writer.ts'
import type { InputLosses } from '../outputs/input-losses.ts'
import type { Tell } from '../outputs/search-output.ts'
import { detectionAlert } from './detection-alert.ts'
import type { DetectionSet } from './detection-set.ts'
import { type DetectionMatch, Detector, detectorBounds, type Forgotten, type StoredEvent } from './detector.ts'

const saveEveryMs = 10_000
const tellEveryMs = 3_600_000

/** What detections need of the part. */
export interface DetectionServices {
  readonly search: SearchClient
  readonly logger: Logger
  readonly dataDir: string
  readonly now: () => number
  readonly silenceMs: () => number
  readonly losses: Pick<InputLosses, 'lost'>
}

/** Detection at work: events that were stored go in, alerts are written within the same moment, and again until search takes them. */
export class Detections {
  readonly #services: DetectionServices
  readonly #detector: Detector
  readonly #file: string
  readonly #alerts: BackgroundWriter
  readonly #timer: NodeJS.Timeout
  #savedChanges = 0

  constructor(set: DetectionSet, services: DetectionServices) {
    this.#services = services
    this.#file = join(services.dataDir, 'detections.json')
    const { search, logger, losses, silenceMs, now } = services
    const forgot = tellForgotten(services)
    const limits = { ...detectorBounds, silenceMs, now, forgot }
    this.#detector = new Detector(set, limits, readState(this.#file, logger))
    const prepare = (): Promise<void> => ensureHiddenIndex(search, alertsIndex)
    this.#alerts = new BackgroundWriter({ search, logger, losses, what: 'alerts', prepare })
    this.#timer = setInterval(() => this.#save(), saveEveryMs)
    this.#timer.unref()
  }

  /** Looks at an event before it is stored; what follows from it comes once it is, and never throws: an alert must not hold up events. */
  look(event: StoredEvent): Tell | undefined {
    const judge = this.#detector.look(event)
    return judge && ((_time, read) => this.#raise(judge(read)))
  }

  #raise(matches: readonly DetectionMatch[]): void {
    const { now, logger } = this.#services
    for (const match of matches) {
      logger.warn({ rule: match.rule.title, key: match.key, count: match.count }, 'detection')
      const { id, document } = detectionAlert(match, now())
      this.#alerts.add([{ action: 'create', index: alertsIndex.name, id, document }])
    }
  }

  /** Writes what is left, once, and keeps the windows for the next start. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#alerts.stop()
    this.#save()
  }

  #save(): void {
    const { changes } = this.#detector
    if (changes === this.#savedChanges) return
    try {
      writeFileSync(`${this.#file}.new`, JSON.stringify(this.#detector.save()))
      renameSync(`${this.#file}.new`, this.#file)
      this.#savedChanges = changes
    } catch (thrown) {
      this.#services.logger.error(`the state of detections is not kept: ${messageOf(thrown)}`)
    }
  }
}

/** Counts what had to be forgotten, and warns of it, of each rule once an hour: of a flood every event would say it. */
export function tellForgotten({
  logger,
  losses,
  now,
}: {
  readonly logger: Pick<Logger, 'warn'>
  readonly losses: DetectionServices['losses']
  readonly now: () => number
}): (what: Forgotten, title: string) => void {
  const told = new Map<string, number>()
  return (what, title) => {
    losses.lost(title, what, 1)
    const key = `${what} ${title}`
    const at = told.get(key)
    const time = now()
    if (at !== undefined && time >= at && time - at < tellEveryMs) return
    told.set(key, time)
    const message =
      what === 'windows'
        ? `the windows of [${title}] are full (${detectorBounds.windowEventsMax} events): groups that were not seen for longest are forgotten, and what they add up to is missed; narrow the rules it counts, or its timespan`
        : `[${title}] and other rules matched for more than ${detectorBounds.silencesMax} keys at once: those that were silent for longest are forgotten, and raise an alert again within detections.silence_seconds`
    logger.warn(message)
  }
}

function readState(file: string, logger: Logger): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') {
      logger.warn(`detections begin anew, ${file} cannot be read: ${messageOf(thrown)}`)
    }
    return undefined
  }
}
