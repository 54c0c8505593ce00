import type { Cell, Column, DerivedSpec, Table } from '../table.ts'
import { evaluate } from './expression.ts'
import { sequences } from './sequences.ts'

/** The instant and the length of what is looked at. */
export interface DeriveContext {
  readonly range: { readonly fromMs: number; readonly toMs: number }
}

type Row = Readonly<Record<string, Cell>>

/** A table with its calculated columns, one after the other, and without those that only served to calculate. */
export function withDerived(
  table: Table,
  derived: readonly DerivedSpec[],
  hidden: readonly string[],
  context: DeriveContext,
): Table {
  let { columns, rows } = table
  for (const spec of derived) {
    const values = valuesOf({ columns, rows }, spec, context)
    rows = rows.map((row, at) => ({ ...row, [spec.id]: values[at] ?? null }))
    const column: Column = { id: spec.id, label: spec.label, role: 'metric', type: 'number', format: spec.format }
    const isThere = columns.some(({ id }) => id === spec.id)
    columns = isThere ? columns.map((one) => (one.id === spec.id ? column : one)) : [...columns, column]
  }
  return hidden.length === 0 ? { columns, rows } : { columns: columns.filter(({ id }) => !hidden.includes(id)), rows }
}

function valuesOf(table: Table, { calculation }: DerivedSpec, context: DeriveContext): (number | null)[] {
  const rangeMs = context.range.toMs - context.range.fromMs
  const intervalMs = table.columns.find(({ type }) => type === 'date')?.intervalMs
  switch (calculation.type) {
    case 'expression': {
      const { expression, variables } = calculation
      const time = table.columns.find(({ type }) => type === 'date')?.id ?? ''
      return table.rows.map((row) => {
        // What TSVB gives to its scripts besides the metrics they name.
        const own: Readonly<Record<string, number | null>> = {
          _interval: intervalMs ?? rangeMs,
          _timestamp: numberOf(row[time]),
        }
        return evaluate(expression, (name) => numberOf(row[variables[name] ?? name] ?? own[name]))
      })
    }
    case 'sequence':
      return alongGroups(table, calculation.of, (values) =>
        sequences[calculation.name](values, { window: calculation.window }),
      )
    case 'rate': {
      const bucketMs = intervalMs ?? Math.max(1, rangeMs)
      return table.rows.map((row) => {
        const value = numberOf(row[calculation.of])
        return value === null ? null : (value * calculation.unitMs) / bucketMs
      })
    }
    case 'constant': {
      const value = { interval: intervalMs ?? rangeMs, time_range: rangeMs, now: context.range.toMs }[calculation.name]
      return table.rows.map(() => value)
    }
  }
}

/** Calculates along the rows that differ in the ordered group alone: time, or else the innermost one. */
function alongGroups(
  { columns, rows }: Table,
  of: string,
  calculate: (values: readonly (number | null)[]) => (number | null)[],
): (number | null)[] {
  const buckets = columns.filter(({ role }) => role === 'bucket')
  const ordered = buckets.find(({ type }) => type === 'date') ?? buckets.at(-1)
  const others = buckets.filter((column) => column !== ordered)
  const groups = new Map<string, number[]>()
  for (const [at, row] of rows.entries()) {
    const key = JSON.stringify(others.map(({ id }) => row[id] ?? null))
    const places = groups.get(key)
    if (places) places.push(at)
    else groups.set(key, [at])
  }
  const result: (number | null)[] = rows.map(() => null)
  for (const places of groups.values()) {
    const inOrder =
      ordered?.type === 'date'
        ? [...places].sort((a, b) => timeAt(rows[a], ordered) - timeAt(rows[b], ordered))
        : places
    const values = calculate(inOrder.map((at) => numberOf(rows[at]?.[of])))
    for (const [place, at] of inOrder.entries()) result[at] = values[place] ?? null
  }
  return result
}

function timeAt(row: Row | undefined, column: Column): number {
  return Number(row?.[column.id] ?? 0)
}

function numberOf(cell: Cell | undefined): number | null {
  return typeof cell === 'number' ? cell : null
}
