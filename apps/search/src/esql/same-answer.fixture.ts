import { printJson } from '../json/print-json.ts'
import type { RecordedAnswer, RecordedCase } from './recorded.fixture.ts'

/** The greatest part of itself by which a double may be another: engines add and take roots in other orders. */
const partMax = 1e-9

/** In what an answer is another than the recorded one, warnings aside: a sentence, undefined where it is the same. */
export function differenceOf(recorded: RecordedCase, answer: RecordedAnswer): string | undefined {
  if (recorded.error || answer.error) {
    const [expected, found] = [recorded, answer].map(({ error, status }) =>
      error ? printJson({ status, ...error }) : 'an answer',
    )
    return expected === found ? undefined : `expected ${expected}, found ${found}`
  }
  const [expected, found] = [recorded, answer].map(({ columns }) => printJson(columns))
  if (expected !== found) return `expected columns ${expected}, found ${found}`
  const isSorted = /\|\s*sort\b/iu.test(recorded.query)
  const [a, b] = [recorded.values ?? [], answer.values ?? []].map((rows) => (isSorted ? rows : ordered(rows)))
  return sameValue(a, b) ? undefined : `expected ${printJson(a)}, found ${printJson(b)}`
}

/** Whether warnings are the same, in any order. */
export function sameWarnings(recorded: RecordedCase, answer: RecordedAnswer): boolean {
  const [a, b] = [recorded, answer].map(({ warnings = [] }) => printJson([...new Set(warnings)].sort()))
  return a === b
}

/** Rows in an order of their own: where a query does not say one, a server may answer any. */
function ordered(rows: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  return rows
    .map((row) => [row, printJson(row.map(coarse))] as const)
    .sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([row]) => row)
}

function coarse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(coarse)
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value).toPrecision(9) : value
}

function sameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, at) => sameValue(each, b[at]))
  if (!isNumber(a) || !isNumber(b) || (typeof a === 'bigint' && typeof b === 'bigint')) return a === b
  // Great doubles without a fraction are read from JSON as bigints.
  const [one, other] = [Number(a), Number(b)]
  return one === other || Math.abs(one - other) <= partMax * Math.max(Math.abs(one), Math.abs(other))
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}
