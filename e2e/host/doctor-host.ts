import { setTimeout as delay } from 'node:timers/promises'
import type { OperatorHost } from './installed-host.ts'

/** One check of `logstack doctor --json`. */
export interface CheckAnswer {
  readonly name: string
  readonly status: 'healthy' | 'information' | 'unknown' | 'fault' | 'consequence'
  readonly problem?: string
  /** Why it could not be looked at. */
  readonly why?: string
  readonly evidence?: readonly string[]
  readonly meaning?: string
  readonly follows?: string
}

/** What `logstack doctor --json` prints. */
export interface DoctorAnswer {
  readonly ok: boolean
  readonly checks: readonly CheckAnswer[]
  readonly repairs: readonly {
    readonly check: string
    readonly end: string
    readonly detail: string
    readonly elapsed_ms: number
  }[]
}

const findLimitMs = 600_000
const repairLimitMs = 600_000

/** Runs doctor on a host, whatever its exit code. */
export async function doctor(host: OperatorHost, options = ''): Promise<DoctorAnswer> {
  const text = await host.shell(`logstack doctor --json ${options} || true`)
  return JSON.parse(text) as DoctorAnswer
}

/** Faults and their consequences. */
export function findingsOf({ checks }: DoctorAnswer): CheckAnswer[] {
  return checks.filter(({ status }) => status === 'fault' || status === 'consequence')
}

/**
 * Looks until the faults are named; `inspect` sees every answer on the way. A second look is needed only where a busy machine made the first
 * one give up. `elapsedMs` is the last look's.
 */
export async function untilFound(
  host: OperatorHost,
  faults: readonly string[],
  inspect: (answer: DoctorAnswer) => void,
): Promise<{ readonly answer: DoctorAnswer; readonly elapsedMs: number }> {
  const end = Date.now() + findLimitMs
  for (;;) {
    const startedAtMs = performance.now()
    const answer = await doctor(host)
    const elapsedMs = performance.now() - startedAtMs
    inspect(answer)
    const found = findingsOf(answer).map(({ name }) => name)
    if (faults.every((fault) => found.includes(fault))) return { answer, elapsedMs }
    if (Date.now() > end) {
      const others = answer.checks.filter(({ status }) => status !== 'healthy')
      throw new Error(`doctor does not name all of ${faults.join(', ')}: ${JSON.stringify(others)}`)
    }
    await delay(500)
  }
}

/**
 * Mends everything, as one command does. On a machine so busy that doctor gives up looking, the command is given again until it has looked
 * at all of it; every repair it made is in the answer.
 */
export async function repair(host: OperatorHost): Promise<DoctorAnswer> {
  const end = Date.now() + repairLimitMs
  const repairs: DoctorAnswer['repairs'][number][] = []
  for (;;) {
    const answer = await doctor(host, '--repair --yes')
    repairs.push(...answer.repairs)
    if (!answer.checks.some(gaveUp) || Date.now() > end) return { ...answer, repairs }
  }
}

/** Whether a check did not end its look in time. */
export function gaveUp({ status, why }: CheckAnswer): boolean {
  return status === 'unknown' && why?.includes('no answer within') === true
}
