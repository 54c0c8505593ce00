import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { CheckAnswer } from './doctor-host.ts'
import type { Injection } from './faults/define-injection.ts'

/** What was measured of one injection; the median where it was done several times. */
interface MeasuredFault {
  readonly fault: string
  readonly name: string
  /** How often it was injected, named alone, mended, and found green with no event lost. */
  readonly rounds: number
  readonly detect_s: number
  /** Absent where a person decides. */
  readonly repair_s?: number
  /** What doctor said that it means. */
  readonly meaning: string
  readonly commit: string
}

/** Two injections that one `doctor --repair --yes` mended together. */
interface MeasuredPair {
  readonly names: readonly string[]
  readonly repair_s: number
  readonly commit: string
}

/** `docs/operator/faults.json`: what the newest run of each injection, pair and healthy look measured. */
export interface Measurements {
  readonly healthy?: { readonly runs: number; readonly look_s: number; readonly commit: string }
  readonly injections: readonly MeasuredFault[]
  readonly pairs: readonly MeasuredPair[]
}

interface Times {
  readonly injection: Injection
  readonly meaning: string
  readonly detectMs: number[]
  readonly repairMs: number[]
}

/** Collects what the injections took. A run may hold some of them: the others keep what an earlier run measured. */
export class FaultsReport {
  readonly #file: string | undefined
  readonly #commit: string
  readonly #times = new Map<string, Times>()
  readonly #pairs: { names: readonly string[]; repairMs: number }[] = []
  #looksMs: readonly number[] = []

  constructor(file: string | undefined) {
    this.#file = file
    // What is tested is what was there at the start, whatever is committed meanwhile.
    this.#commit = file ? execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim() : ''
  }

  addHealthy(looksMs: readonly number[]): void {
    this.#looksMs = looksMs
    this.write()
  }

  add(injection: Injection, finding: CheckAnswer, took: { detectMs: number; repairMs: number | undefined }): void {
    const before = this.#times.get(injection.name)
    const one = before ?? { injection, meaning: finding.meaning ?? '', detectMs: [], repairMs: [] }
    one.detectMs.push(took.detectMs)
    if (took.repairMs !== undefined) one.repairMs.push(took.repairMs)
    this.#times.set(injection.name, one)
    this.write()
  }

  addPair(names: readonly string[], repairMs: number): void {
    this.#pairs.push({ names, repairMs })
    this.write()
  }

  /** Writes the file, when there is one to write. */
  write(): void {
    const file = this.#file
    if (!file) return
    const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Measurements) : undefined
    const commit = this.#commit
    const injections = [...this.#times.values()].map(({ injection, meaning, detectMs, repairMs }) => ({
      fault: injection.fault,
      name: injection.name,
      rounds: detectMs.length,
      detect_s: secondsOf(detectMs),
      ...(repairMs.length > 0 ? { repair_s: secondsOf(repairMs) } : {}),
      meaning,
      commit,
    }))
    const pairs = this.#pairs.map(({ names, repairMs }) => ({ names, repair_s: secondsOf([repairMs]), commit }))
    const healthy =
      this.#looksMs.length > 0
        ? { runs: this.#looksMs.length, look_s: secondsOf(this.#looksMs), commit }
        : before?.healthy
    const measurements: Measurements = {
      ...(healthy ? { healthy } : {}),
      injections: merged(before?.injections ?? [], injections, ({ name }) => name),
      pairs: merged(before?.pairs ?? [], pairs, ({ names }) => names.join()),
    }
    writeFileSync(file, `${JSON.stringify(measurements, undefined, 2)}\n`)
  }
}

function merged<T>(before: readonly T[], now: readonly T[], key: (one: T) => string): T[] {
  const all = new Map([...before, ...now].map((one) => [key(one), one]))
  return [...all.values()].sort((one, other) => key(one).localeCompare(key(other)))
}

function secondsOf(timesMs: readonly number[]): number {
  const sorted = [...timesMs].sort((left, right) => left - right)
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) / 100) / 10
}
