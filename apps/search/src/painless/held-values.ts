import { lettersAStep, valuesAStep } from './run-costs.ts'
import { scriptLimits, spend } from './script-run.ts'

/** How much a value may hold. */
export interface Most {
  readonly values: number
  readonly letters: number
}

/** Of values that are printed or compared at once. */
const printedMost: Most = { values: 200_000, letters: scriptLimits.textCharsMax }

/** Of documents and answers behind a script: they are printed as often as they hold something. */
export const documentMost: Most = { values: 5_000_000, letters: 100_000_000 }

/**
 * Throws a RangeError for a value that holds more than `most`, each part counted as often as it would be printed: a list that holds another twice,
 * which holds another twice, is small in memory and endless on paper. What holds itself is not counted again within itself: that is for
 * `refuseSelfReferences`. Returns how many values there are.
 */
export function refuseHuge(value: unknown, most: Most): number {
  return most.values - counted(value, most).values
}

/** What is left of `most` behind a value, as `refuseHuge` counts. Throws a RangeError for a value that holds more. */
export function leftBehind(value: unknown, most: Most): Most {
  return counted(value, most)
}

/** Refuses a value too large to be printed or compared, and counts steps for going through it. */
export function goThrough(value: unknown): void {
  if (typeof value === 'string') {
    spend(Math.floor(value.length / lettersAStep))
    return
  }
  if (typeof value !== 'object' || value === null) return
  const left = counted(value, printedMost)
  spend(
    Math.floor((printedMost.values - left.values) / valuesAStep) +
      Math.floor((printedMost.letters - left.letters) / lettersAStep),
  )
}

/** How much is left of `most` behind a value. */
function counted(value: unknown, most: Most): Most {
  const above = new Set<unknown>()
  const left = { ...most }
  const count = (held: unknown): void => {
    left.values -= 1
    if (left.values < 0) throw new RangeError(`a value may hold at most ${most.values} values`)
    if (typeof held === 'string') left.letters -= held.length
    if (left.letters < 0) throw new RangeError(`a value may hold at most ${most.letters} letters`)
    const isPlain = typeof held === 'object' && held !== null && Object.getPrototypeOf(held) === Object.prototype
    if (!(isPlain || Array.isArray(held)) || above.has(held)) return
    above.add(held)
    if (Array.isArray(held)) for (const inner of held) count(inner)
    else
      for (const [key, inner] of Object.entries(held)) {
        left.letters -= key.length
        count(inner)
      }
    above.delete(held)
  }
  count(value)
  return left
}

/** Refuses a huge document as `refuseHuge` does, and takes out of it what is: whatever goes on with it must not print that. */
export function refuseHugeDocument(document: object): void {
  try {
    refuseHuge(document, documentMost)
  } catch (thrown) {
    const parts = document as Record<string, unknown>
    for (const key of Object.keys(parts)) if (isHuge(parts[key])) delete parts[key]
    throw thrown
  }
}

function isHuge(value: unknown): boolean {
  try {
    refuseHuge(value, documentMost)
    return false
  } catch (thrown) {
    if (thrown instanceof RangeError) return true
    throw thrown
  }
}
