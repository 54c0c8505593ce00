import type { GeneratorValue } from 'fast-check'
import fc from 'fast-check'
import {
  type Cell,
  type Column,
  chance,
  formula,
  held,
  type Kind,
  one,
  order,
  pick,
  type Row,
  type Scalar,
  written,
} from './random-queries.fixture.ts'

/** Rows after the commands so far; `key` says of each row where it comes, by the last SORT. */
export interface Table {
  readonly text: string
  readonly columns: readonly Column[]
  readonly rows: readonly Placed[]
  readonly isSorted: boolean
}

interface Placed {
  readonly cells: Row
  /** Of rows with the same place none comes first. */
  readonly place: number
}

type Step = (g: GeneratorValue, table: Table) => Table

/** Names that are those of a statement's own columns, that must be quoted, and those of other columns. */
const names = ['e1', 'f0', 'one', 'arg0', 'k', 'i', 'x.y', 'back`tick', 'ü', 'two words', 'mine', 'l', 'b']

const remade = (table: Table, text: string, made: Partial<Table>): Table => ({
  ...table,
  ...made,
  text: `${table.text} | ${text}`,
})

/** The columns with one put in at the end, where there was one of its name in its place. */
const withColumn = (columns: readonly Column[], column: Column): Column[] => [
  ...columns.filter(({ name }) => name !== column.name),
  column,
]

const kinds = ['integer', 'long', 'double', 'keyword', 'boolean', 'date'] as const

const where: Step = (g, table) => {
  const condition = formula({ g, columns: table.columns }, 'boolean', 3)
  const rows = table.rows.filter(({ cells }) => one(condition.of(cells)) === true)
  return remade(table, `WHERE ${condition.text}`, { rows })
}

const evaluate: Step = (g, table) => {
  let { columns, rows } = table
  const texts: string[] = []
  for (let count = pick(g, [1, 2, 3]); count > 0; count -= 1) {
    const kind = pick(g, kinds)
    const name = pick(g, names)
    const value = formula({ g, columns }, kind, 3)
    rows = rows.map(({ cells, place }) => ({ cells: { ...cells, [name]: value.of(cells) }, place }))
    columns = withColumn(columns, { name, kind })
    texts.push(`${written(name)} = ${value.text}`)
  }
  return remade(table, `EVAL ${texts.join(', ')}`, { columns, rows })
}

const sort: Step = (g, table) => {
  const keys = Array.from({ length: pick(g, [1, 2]) }, () => {
    const of = formula({ g, columns: table.columns }, pick(g, kinds), 1)
    const descending = chance(g, 50)
    const nulls = pick(g, ['', ' NULLS FIRST', ' NULLS LAST'])
    const nullsFirst = nulls === '' ? descending : nulls === ' NULLS FIRST'
    return { of, descending, nullsFirst, text: `${of.text}${descending ? ' DESC' : ''}${nulls}` }
  })
  const compare = (a: Placed, b: Placed): number => {
    for (const { of, descending, nullsFirst } of keys) {
      const [x, y] = [a, b].map(({ cells }) => [...of.of(cells)].sort(order).at(descending ? -1 : 0))
      if (x === undefined && y === undefined) continue
      if (x === undefined || y === undefined) return (x === undefined) === nullsFirst ? -1 : 1
      const sign = descending ? order(y, x) : order(x, y)
      if (sign !== 0) return sign
    }
    return 0
  }
  const sorted = [...table.rows].sort(compare)
  const rows: Placed[] = []
  for (const [at, row] of sorted.entries()) {
    const before = sorted[at - 1]
    const isTied = before !== undefined && compare(before, row) === 0
    rows.push({ cells: row.cells, place: isTied ? (rows[at - 1]?.place ?? 0) : at })
  }
  return remade(table, `SORT ${keys.map(({ text }) => text).join(', ')}`, { rows, isSorted: true })
}

/** Cut where it is known which rows stay. */
const limit: Step = (g, table) => {
  const count = g(fc.nat, table.rows.length + 1)
  const [last, next] = [table.rows[count - 1], table.rows[count]]
  const isKnown = next === undefined || count === 0 || (table.isSorted && last?.place !== next.place)
  return isKnown ? remade(table, `LIMIT ${count}`, { rows: table.rows.slice(0, count) }) : table
}

const keep: Step = (g, table) => {
  const columns = table.columns.filter(() => chance(g, 70))
  if (columns.length === 0) return table
  const turned = chance(g, 50) ? [...columns].reverse() : columns
  if (chance(g, 50))
    return remade(table, `KEEP ${turned.map(({ name }) => written(name)).join(', ')}`, { columns: turned })
  const dropped = table.columns.filter((each) => !columns.includes(each))
  if (dropped.length === 0) return table
  return remade(table, `DROP ${dropped.map(({ name }) => written(name)).join(', ')}`, { columns })
}

const rename: Step = (g, table) => {
  let { columns, rows } = table
  const texts: string[] = []
  for (let count = pick(g, [1, 2, 3]); count > 0; count -= 1) {
    const from = pick(g, columns)
    const to = pick(g, names)
    if (from.name === to) continue
    columns = columns.filter(({ name }) => name !== to).map((each) => (each === from ? { ...each, name: to } : each))
    rows = rows.map(({ cells, place }) => ({ cells: { ...cells, [to]: cells[from.name] ?? [] }, place }))
    texts.push(`${written(from.name)} AS ${written(to)}`)
  }
  return texts.length === 0 ? table : remade(table, `RENAME ${texts.join(', ')}`, { columns, rows })
}

const expand: Step = (g, table) => {
  const { name } = pick(g, table.columns)
  const rows = table.rows.flatMap(({ cells, place }) => {
    const values = cells[name] ?? []
    if (values.length === 0) return [{ cells, place }]
    return values.map((value) => ({ cells: { ...cells, [name]: [value] }, place }))
  })
  return rows.length > 900 ? table : remade(table, `MV_EXPAND ${written(name)}`, { rows })
}

const dissect: Step = (g, table) => {
  const of = formula({ g, columns: table.columns }, 'keyword', 1)
  const [left, right] = [pick(g, names), pick(g, names)]
  if (left === right || [left, right].some((name) => !/^\w+$/u.test(name))) return table
  const rows = table.rows.map(({ cells, place }) => {
    const parts = of.of(cells).flatMap((text) => {
      const at = String(text).indexOf('-')
      return at < 0 ? [] : [[String(text).slice(0, at), String(text).slice(at + 1)] as const]
    })
    return { cells: { ...cells, [left]: parts.map(([a]) => a), [right]: parts.map(([, b]) => b) }, place }
  })
  const columns = withColumn(withColumn(table.columns, { name: left, kind: 'keyword' }), {
    name: right,
    kind: 'keyword',
  })
  return remade(table, `DISSECT ${of.text} "%{${left}}-%{${right}}"`, { columns, rows })
}

interface Aggregate {
  readonly text: string
  readonly kind: Kind
  of(rows: readonly Row[]): Cell
}

const wholeSum = (values: Cell): bigint => values.map((each) => BigInt(each)).reduce((a, b) => a + b, 0n)

/** What the values of rows come to, by the name of the aggregate. */
const folds: Readonly<Record<string, (values: Cell, kind: Kind) => Cell>> = {
  COUNT: (values) => [BigInt(values.length)],
  COUNT_DISTINCT: (values) => [BigInt(new Set(values).size)],
  MIN: (values) => [...values].sort(order).slice(0, 1),
  MAX: (values) => [...values].sort(order).slice(-1),
  VALUES: (values) => [...new Set(values)].sort(order),
  SUM: (values) => (values.length === 0 ? [] : [held('long', wholeSum(values))].filter((each) => each !== undefined)),
}

function aggregate(g: GeneratorValue, columns: readonly Column[]): Aggregate {
  if (chance(g, 25)) return { text: 'COUNT(*)', kind: 'long', of: (rows) => [BigInt(rows.length)] }
  const name = pick(g, Object.keys(folds))
  const kind = name === 'SUM' ? pick(g, ['integer', 'long'] as const) : pick(g, kinds)
  const of = formula({ g, columns }, kind, 1)
  const made = ['MIN', 'MAX', 'VALUES'].includes(name) ? kind : 'long'
  return {
    text: `${name}(${of.text})`,
    kind: made,
    of: (rows) =>
      folds[name]?.(
        rows.flatMap((row) => of.of(row)),
        kind,
      ) ?? [],
  }
}

const stats: Step = (g, table) => {
  const free = [...names]
  const nameOf = (): string => free.splice(g(fc.nat, free.length - 1), 1)[0] ?? ''
  const grouping = Array.from({ length: pick(g, [0, 1, 1, 2]) }, () => {
    const kind = pick(g, ['integer', 'long', 'keyword', 'boolean', 'date'] as const)
    const of = formula({ g, columns: table.columns }, kind, 1)
    const name = nameOf()
    return { kind, of, name, text: `${written(name)} = ${of.text}` }
  })
  // In aggregates the name of a group is that group.
  const apart = table.columns.filter((column) => grouping.every(({ name }) => name !== column.name))
  const [left, by] = apart.length === 0 ? [table.columns, []] : [apart, grouping]
  const made = Array.from({ length: pick(g, [1, 2, 3]) }, () => {
    const of = aggregate(g, left)
    const condition = chance(g, 30) ? formula({ g, columns: left }, 'boolean', 2) : undefined
    const name = nameOf()
    return { of, condition, name, text: `${written(name)} = ${of.text}${condition ? ` WHERE ${condition.text}` : ''}` }
  })
  const groups = new Map<string, { readonly key: readonly Cell[]; readonly rows: Row[] }>()
  if (by.length === 0) groups.set('', { key: [], rows: table.rows.map(({ cells }) => cells) })
  else
    for (const { cells } of table.rows)
      for (const key of combinations(by.map(({ of }) => of.of(cells)))) {
        const text = JSON.stringify(key.map((cell) => cell.map((each) => `${typeof each} ${each}`)))
        const group = groups.get(text) ?? { key, rows: [] }
        groups.set(text, group)
        group.rows.push(cells)
      }
  const rows = [...groups.values()].map(({ key, rows: own }): Placed => {
    const values = made.map(({ of, condition, name }) => {
      const met = own.filter((row) => condition === undefined || one(condition.of(row)) === true)
      return [name, of.of(met)] as const
    })
    return {
      cells: Object.fromEntries([...values, ...by.map(({ name }, at) => [name, key[at] ?? []] as const)]),
      place: 0,
    }
  })
  const columns = [
    ...made.map(({ name, of }) => ({ name, kind: of.kind })),
    ...by.map(({ name, kind }) => ({ name, kind })),
  ]
  const grouped = by.length === 0 ? '' : ` BY ${by.map(({ text }) => text).join(', ')}`
  return remade(table, `STATS ${made.map(({ text }) => text).join(', ')}${grouped}`, { columns, rows, isSorted: false })
}

/** A row counts once for each of the values of each cell; what has none is a group of its own. */
function combinations(cells: readonly Cell[]): readonly (readonly Cell[])[] {
  let made: readonly (readonly Cell[])[] = [[]]
  for (const cell of cells) {
    const values: readonly Cell[] = cell.length === 0 ? [[]] : [...new Set(cell)].map((each: Scalar) => [each])
    made = made.flatMap((key) => values.map((value) => [...key, value]))
  }
  return made
}

const steps: readonly Step[] = [
  where,
  where,
  evaluate,
  evaluate,
  sort,
  sort,
  limit,
  keep,
  rename,
  expand,
  dissect,
  stats,
]

/** A random query over a table, and what it answers. */
export function randomQuery(g: GeneratorValue, source: Table): Table {
  let table = source
  for (let count = pick(g, [1, 2, 3, 4, 5, 6, 7]); count > 0; count -= 1) table = pick(g, steps)(g, table)
  return table
}
