import type { ColorRule, ValueFormat } from '../kibana/value-format.ts'

/** The colours of a value; of rules that fit the last one counts, as in Kibana. */
export function valueColors(
  value: unknown,
  format: Pick<ValueFormat, 'colors'> | undefined,
): { readonly color?: string; readonly background?: string } | undefined {
  const rule = format?.colors?.findLast((one) => fits(one, value))
  if (!rule) return undefined
  return {
    ...(rule.text === undefined ? {} : { color: rule.text }),
    ...(rule.background === undefined ? {} : { background: rule.background }),
  }
}

/** Whether a pattern may be tried on values: one of which a single text could keep the browser busy for long may not. */
function isModestPattern(pattern: string): boolean {
  // Repetitions in repetitions grow with a power of the text's length; so do several that stand beside each other.
  const repeated = pattern.match(/[*+{?]/g)?.length ?? 0
  return repeated <= repetitionsMax && !/\)[*+{]/.test(pattern) && !/\\[1-9k]/.test(pattern)
}

const repetitionsMax = 2
const textLengthMax = 500

function fits({ from, to, pattern, value: wanted }: ColorRule, value: unknown): boolean {
  if (pattern !== undefined) return compiled(pattern)?.test(String(value).slice(0, textLengthMax)) ?? false
  if (wanted !== undefined) return String(value) === wanted
  const number = typeof value === 'number' ? value : Number.NaN
  return number >= (from ?? Number.NEGATIVE_INFINITY) && number <= (to ?? Number.POSITIVE_INFINITY)
}

const known = new Map<string, RegExp | undefined>()

function compiled(pattern: string): RegExp | undefined {
  if (!known.has(pattern)) known.set(pattern, isModestPattern(pattern) ? made(pattern) : undefined)
  return known.get(pattern)
}

function made(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern)
  } catch {
    return undefined
  }
}
