import { writeFileSync } from 'node:fs'
import type { CheckAnswer } from './doctor-host.ts'
import type { Injection } from './faults/define-injection.ts'

/** What was measured of one injection; the median where it was done several times. */
interface Measured {
  readonly fault: string
  readonly name: string
  readonly rounds: number
  readonly detect_s: number
  readonly repair_s: number
  /** What doctor said that it means. */
  readonly meaning: string
}

/** Collects what the injections took, for `docs/operator/faults.json`. */
export class FaultsReport {
  readonly #file: string | undefined
  readonly #times = new Map<string, { injection: Injection; meaning: string; detectMs: number[]; repairMs: number[] }>()

  constructor(file: string | undefined) {
    this.#file = file
  }

  add(injection: Injection, finding: CheckAnswer, took: { detectMs: number; repairMs: number }): void {
    const before = this.#times.get(injection.name)
    const one = before ?? { injection, meaning: finding.meaning ?? '', detectMs: [], repairMs: [] }
    one.detectMs.push(took.detectMs)
    one.repairMs.push(took.repairMs)
    this.#times.set(injection.name, one)
  }

  /** Writes the file, when there is one to write. */
  write(): void {
    if (!this.#file) return
    const measured = [...this.#times.values()].map(
      ({ injection, meaning, detectMs, repairMs }): Measured => ({
        fault: injection.fault,
        name: injection.name,
        rounds: detectMs.length,
        detect_s: secondsOf(detectMs),
        repair_s: secondsOf(repairMs),
        meaning,
      }),
    )
    writeFileSync(this.#file, `${JSON.stringify(measured, undefined, 2)}\n`)
  }
}

function secondsOf(timesMs: readonly number[]): number {
  const sorted = [...timesMs].sort((left, right) => left - right)
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) / 100) / 10
}
