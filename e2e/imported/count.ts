import { type Document, valuesOf } from './document.ts'
import type { Test } from './words.ts'

/** One level of groups. */
export type Level =
  | {
      readonly type: 'terms'
      readonly field: string
      readonly size: number
      readonly order: 'key' | number
      readonly ascending: boolean
      readonly other: string | undefined
      readonly missing: string | undefined
    }
  | { readonly type: 'significant'; readonly field: string; readonly size: number }
  | { readonly type: 'time'; readonly field: string }
  /** Bars over numbers; their width follows from all numbers of the panel. */
  | { readonly type: 'number'; readonly field: string; readonly step?: number }
  | { readonly type: 'filters'; readonly filters: readonly { readonly label: string; readonly test: Test }[] }

/** One number of a group. */
export interface Measure {
  readonly type: 'documents' | 'values' | 'distinct'
  readonly field: string
  readonly test: Test
}

/** What a panel counts. */
export interface Counted {
  readonly levels: readonly Level[]
  readonly measures: readonly Measure[]
}

type Group = readonly [key: string, documents: readonly Document[]]

const hourMs = 3_600_000
// Elasticsearch leaves rarer significant terms out.
const significantMin = 3

/** The rows of a panel: the keys of its groups, then its numbers. */
export function rowsOf({ levels, measures }: Counted, documents: readonly Document[]): string[][] {
  const settled = levels.map((level) =>
    level.type === 'number'
      ? { ...level, step: stepOf(documents.flatMap((one) => numbersOf(one, level.field))) }
      : level,
  )
  return groupRows({ levels: settled, measures }, documents)
}

function groupRows({ levels, measures }: Counted, documents: readonly Document[]): string[][] {
  const [level, ...inner] = levels
  if (!level) return [measures.map((measure) => String(measured(measure, documents)))]
  const rest = { levels: inner, measures }
  const groups = groupsOf(level, rest, documents)
  return groups.flatMap(([key, held]) => groupRows(rest, held).map((row) => [key, ...row]))
}

function measured({ type, field, test }: Measure, documents: readonly Document[]): number {
  const fitting = documents.filter(test)
  if (type === 'documents') return fitting.length
  const values = fitting.flatMap((document) => valuesOf(document, field))
  return type === 'values' ? values.length : new Set(values).size
}

function groupsOf(level: Level, { measures }: Counted, documents: readonly Document[]): Group[] {
  switch (level.type) {
    case 'filters':
      return level.filters.map(({ label, test }) => [label, documents.filter(test)])
    case 'time':
      return grouped(documents, (document) =>
        valuesOf(document, level.field).map((value) => {
          const start = Math.floor(Date.parse(String(value)) / hourMs) * hourMs
          return new Date(start).toISOString().slice(0, 19).replace('T', ' ')
        }),
      )
    case 'number': {
      const { step = 1 } = level
      return grouped(documents, (document) =>
        numbersOf(document, level.field).map((value) =>
          String(Number((Math.floor(value / step + 1e-9) * step).toFixed(6))),
        ),
      )
    }
    case 'significant':
      return grouped(documents, (document) => valuesOf(document, level.field).map(String)).filter(
        ([, held]) => held.length >= significantMin,
      )
    case 'terms': {
      const groups = grouped(documents, (document) => {
        const values = [...new Set(valuesOf(document, level.field).map(String))]
        return values.length === 0 && level.missing !== undefined ? [level.missing] : values
      }).sort(termsOrder(level, measures))
      const shown = groups.slice(0, level.size)
      const rest = documents.filter(
        (document) => valuesOf(document, level.field).length > 0 && !shown.some(([, held]) => held.includes(document)),
      )
      return level.other !== undefined && rest.length > 0 ? [...shown, [level.other, rest]] : shown
    }
  }
}

function termsOrder(
  level: Level & { type: 'terms' },
  measures: readonly Measure[],
): (left: Group, right: Group) => number {
  const byKey = (left: Group, right: Group): number => (left[0] < right[0] ? -1 : 1)
  const sign = level.ascending ? 1 : -1
  const { order } = level
  if (order === 'key') return (left, right) => sign * byKey(left, right)
  const measure = measures[order]
  if (!measure) throw new Error('groups are ordered by a number that is not there')
  const value = ([, held]: Group): number => measured(measure, held)
  return (left, right) => sign * (value(left) - value(right)) || byKey(left, right)
}

function grouped(documents: readonly Document[], keysOf: (document: Document) => readonly string[]): Group[] {
  const groups = new Map<string, Document[]>()
  for (const document of documents) {
    for (const key of new Set(keysOf(document))) groups.set(key, [...(groups.get(key) ?? []), document])
  }
  return [...groups]
}

function numbersOf(document: Document, field: string): number[] {
  return valuesOf(document, field).map(Number)
}

/** The round width with which the numbers stand in at most fifty bars; whole numbers in whole ones. */
function stepOf(numbers: readonly number[]): number {
  const span = Math.max(...numbers) - Math.min(...numbers)
  if (numbers.every((one) => Number.isInteger(one)) && span <= 50) return 1
  for (let power = 1e-6; ; power *= 10) {
    for (const step of [1, 2, 2.5, 5]) if (step * power * 50 >= span - 1e-9) return step * power
  }
}
