import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { CheckAnswer } from './doctor-host.ts'
import type { Injection } from './faults/define-injection.ts'

/** What was measured of one injection, over all runs since it is made as it is. */
export interface MeasuredFault {
  readonly fault: string
  readonly name: string
  /** How it is made, in the words of that time: rounds of something else do not count. */
  readonly how: string
  /** How often it was injected, named alone, mended, and found green with no event lost. */
  readonly rounds: number
  /** One a round; of rounds before these were kept, their median only. */
  readonly detect_s: readonly number[]
  /** Empty where a person decides. */
  readonly repair_s: readonly number[]
  /** What doctor said that it means. */
  readonly meaning: string
  /** Of the newest round. */
  readonly commit: string
}

/** Injections that one `doctor --repair --yes` mended together, in the newest run. */
interface MeasuredMix {
  readonly names: readonly string[]
  readonly repair_s: number
  readonly commit: string
}

/** `docs/operator/faults.json`: all rounds of each injection, the newest run of each mix and of the healthy looks. */
export interface Measurements {
  readonly healthy?: { readonly runs: number; readonly look_s: number; readonly commit: string }
  readonly injections: readonly MeasuredFault[]
  readonly mixes: readonly MeasuredMix[]
}

/** Adds what a run measured to a file, round by round. What the run does not hold stays there as it is. */
export class FaultsReport {
  readonly #file: string | undefined
  readonly #commit: string

  constructor(file: string | undefined) {
    this.#file = file
    // What is tested is what was there at the start, whatever is committed meanwhile.
    this.#commit = file ? execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim() : ''
  }

  /** The mixes that the file holds. */
  mixes(): readonly (readonly string[])[] {
    return this.#file && existsSync(this.#file) ? readMeasurements(this.#file).mixes.map(({ names }) => names) : []
  }

  addHealthy(looksMs: readonly number[]): void {
    if (looksMs.length === 0) return
    const healthy = { runs: looksMs.length, look_s: medianOf(looksMs.map(secondsOf)), commit: this.#commit }
    this.#change((before) => addUp(before, { healthy, injections: [], mixes: [] }))
  }

  add(injection: Injection, finding: CheckAnswer, took: { detectMs: number; repairMs: number | undefined }): void {
    const { fault, name, how } = injection
    const round = {
      fault,
      name,
      how,
      rounds: 1,
      detect_s: [secondsOf(took.detectMs)],
      repair_s: took.repairMs === undefined ? [] : [secondsOf(took.repairMs)],
      meaning: finding.meaning ?? '',
      commit: this.#commit,
    }
    this.#change((before) => addUp(before, { injections: [round], mixes: [] }))
  }

  addMix(names: readonly string[], repairMs: number): void {
    const mix = { names, repair_s: secondsOf(repairMs), commit: this.#commit }
    this.#change((before) => addUp(before, { injections: [], mixes: [mix] }))
  }

  #change(change: (before: Measurements) => Measurements): void {
    const file = this.#file
    if (!file) return
    const before = existsSync(file) ? readMeasurements(file) : { injections: [], mixes: [] }
    writeFileSync(file, `${JSON.stringify(change(before), undefined, 2)}\n`)
  }
}

/** What a file of measurements holds. */
export function readMeasurements(file: string): Measurements {
  return JSON.parse(readFileSync(file, 'utf8')) as Measurements
}

/** Both measurements: rounds of the same injection summed up, their times side by side; of everything else the newer one. */
export function addUp(before: Measurements, now: Measurements): Measurements {
  const healthy = now.healthy ?? before.healthy
  return {
    ...(healthy ? { healthy } : {}),
    injections: merged(before.injections, now.injections, ({ name }) => name, withRounds),
    mixes: merged(
      before.mixes,
      now.mixes,
      ({ names }) => names.join(),
      (_, newer) => newer,
    ),
  }
}

/** The middle of some numbers, the higher one of two; NaN of none. */
export function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function withRounds(before: MeasuredFault, now: MeasuredFault): MeasuredFault {
  if (before.how !== now.how) return now
  return {
    ...now,
    rounds: before.rounds + now.rounds,
    detect_s: [...before.detect_s, ...now.detect_s],
    repair_s: [...before.repair_s, ...now.repair_s],
  }
}

function merged<T>(before: readonly T[], now: readonly T[], key: (one: T) => string, both: (b: T, n: T) => T): T[] {
  const all = new Map(before.map((one) => [key(one), one]))
  for (const one of now) {
    const known = all.get(key(one))
    all.set(key(one), known === undefined ? one : both(known, one))
  }
  return [...all.values()].sort((one, other) => key(one).localeCompare(key(other)))
}

const secondsOf = (ms: number): number => Math.round(ms / 100) / 10
