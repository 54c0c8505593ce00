import type { Fault } from '../doctor/define-fault.ts'
import { type Examined, examine } from '../doctor/examine.ts'
import type { Stack } from '../stack.ts'

/** Of a periodic look: nobody waits for it. */
const patientLooksMax = 3

/**
 * Looks at everything, and again at what gave no answer in time: nobody waits for a periodic look, and a busy moment shall not end the status
 * that a check had.
 */
export async function lookPatiently(stack: Stack, faults: readonly Fault[], look = examine): Promise<Examined[]> {
  return lookAgainAtLate(stack, await look(stack, faults), patientLooksMax, look)
}

/** Looks again, each time with more patience, at what gave no answer in time; `looksMax` counts the look before. */
export async function lookAgainAtLate(
  stack: Stack,
  before: readonly Examined[],
  looksMax: number,
  look = examine,
): Promise<Examined[]> {
  let examined = [...before]
  for (let looks = 1; looks < looksMax; looks += 1) {
    const late = examined.filter(wasLate).map(({ fault }) => fault)
    if (late.length === 0) break
    const again = new Map((await look(stack, late, undefined, looks + 1)).map((one) => [one.fault.name, one]))
    examined = withFollows(examined.map((one) => again.get(one.fault.name) ?? one))
  }
  return examined
}

function wasLate({ outcome }: Examined): boolean {
  return outcome.status === 'unknown' && /no answer/.test(outcome.why)
}

// What follows from what is known only once all are together.
function withFollows(examined: readonly Examined[]): Examined[] {
  const found = new Set(examined.filter(({ outcome }) => outcome.status === 'fault').map(({ fault }) => fault.name))
  return examined.map(({ fault, outcome, elapsedMs }) => {
    const follows = outcome.status === 'fault' ? fault.explainedBy.find((name) => found.has(name)) : undefined
    return { fault, outcome, elapsedMs, ...(follows === undefined ? {} : { follows }) }
  })
}
