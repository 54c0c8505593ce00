import type { GeneratorValue } from 'fast-check'
import fc from 'fast-check'

/** A slow and obvious reading of a part of ES|QL, which makes random queries and says what they answer. */

export type Kind = 'integer' | 'long' | 'double' | 'keyword' | 'boolean' | 'date'
/** Whole numbers and moments (milliseconds) are bigints. */
export type Scalar = bigint | number | string | boolean
/** The values of a cell: none is null. */
export type Cell = readonly Scalar[]
export type Row = Readonly<Record<string, Cell>>

export interface Column {
  readonly name: string
  readonly kind: Kind
}

/** An expression: as it is written, and what it comes to in a row. */
export interface Formula {
  readonly text: string
  /** What it is in every row, where that is simpler than it is written. */
  readonly same?: string
  readonly of: (row: Row) => Cell
}

/** What random queries are made with. */
export interface Maker {
  readonly g: GeneratorValue
  readonly columns: readonly Column[]
}

export const pick = <Item>(g: GeneratorValue, items: readonly Item[]): Item => {
  const found = items[g(fc.nat, items.length - 1)]
  if (found === undefined) throw new Error('BUG: nothing to choose from')
  return found
}
export const chance = (g: GeneratorValue, percent: number): boolean => g(fc.nat, 99) < percent

/** A name as queries write it. */
export const written = (name: string): string =>
  /^[a-z@][a-z0-9@.]*$/u.test(name) ? name : `\`${name.replaceAll('`', '``')}\``

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

const constants: Readonly<Record<Kind, readonly (readonly [text: string, value: Scalar])[]>> = {
  integer: [0n, 1n, 2n, -1n, 3n, 2147483647n].map((each) => [String(each), each]),
  long: [9007199254740993n, 9223372036854775807n, -2147483649n].map((each) => [String(each), each]),
  double: [0.5, 1.5, -2.5, 100.25].map((each) => [String(each), each]),
  keyword: ['', 'a', 'b-c', 'x\\"', 'ü', 'a-b-c'].map((each) => [quoted(each), each]),
  boolean: [
    ['true', true],
    ['false', false],
  ],
  date: [
    ['"2026-01-01T00:00:00.000Z"::datetime', 1767225600000n],
    ['"1969-12-31T23:59:59.999Z"::datetime', -1n],
  ],
}

/** The one value of a cell: none of several. */
export const one = (cell: Cell): Scalar | undefined => (cell.length === 1 ? cell[0] : undefined)

const cellOf = (value: Scalar | undefined): Cell => (value === undefined ? [] : [value])

/** Which of two values comes first: texts by their bytes. */
export function order(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  if (typeof a !== typeof b) return Number(a) - Number(b)
  return a < b ? -1 : a > b ? 1 : 0
}

const limits: Readonly<Partial<Record<Kind, bigint>>> = { integer: 2n ** 31n, long: 2n ** 63n }

/** A number as its kind holds it: none where it does not. */
export function held(kind: Kind, value: Scalar): Scalar | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const limit = limits[kind]
  return limit !== undefined && typeof value === 'bigint' && (value < -limit || value >= limit) ? undefined : value
}

/** A function of single values: none where one is missing. */
function lifted(args: readonly Formula[], text: string, make: (...values: Scalar[]) => Scalar | undefined): Formula {
  return {
    text,
    of(row) {
      const values = args.map((each) => one(each.of(row)))
      const known = values.filter((each) => each !== undefined)
      return known.length < values.length ? [] : cellOf(make(...known))
    },
  }
}

/** An expression of a kind. */
export function formula(maker: Maker, kind: Kind, depth = 2): Formula {
  const { g, columns } = maker
  const own = columns.filter((column) => column.kind === kind)
  if (own.length > 0 && chance(g, depth > 0 ? 40 : 70)) {
    const { name } = pick(g, own)
    return { text: written(name), of: (row) => row[name] ?? [] }
  }
  if (depth > 0 && chance(g, 75)) return composed(maker, kind, depth - 1)
  if (kind === 'boolean' && depth > 0) return comparison(maker, depth - 1, kind)
  const [text, value] = pick(g, constants[kind])
  return { text, of: () => [value] }
}

function composed(maker: Maker, kind: Kind, depth: number): Formula {
  const common = [chosen, coalesced, extreme, chosenOfList]
  const special: Readonly<Record<Kind, readonly Make[]>> = {
    integer: [arithmetic, length, countOfList],
    long: [arithmetic, arithmetic, sumOfList],
    double: [arithmetic, arithmetic, toDouble],
    keyword: [concat, substring, upper, appended, toText, joined],
    boolean: [comparison, junction, junction, isNull, among, startsWith],
    date: [shifted, appended],
  }
  return pick(maker.g, [...special[kind], ...special[kind], ...common])(maker, depth, kind)
}

type Make = (maker: Maker, depth: number, kind: Kind) => Formula

const operand = (maker: Maker, kind: Kind): Kind => {
  if (kind === 'double') return pick(maker.g, ['double', 'integer', 'long'])
  return kind === 'long' ? pick(maker.g, ['long', 'integer']) : kind
}

const arithmetic: Make = (maker, depth, kind) => {
  // The engine's rest of doubles is not exact.
  const op = pick(maker.g, ['+', '-', '*', '/', kind === 'double' ? '*' : '%'] as const)
  const isTurned = chance(maker.g, 50)
  const kinds = [kind, operand(maker, kind)] as const
  const [left, right] = (isTurned ? [kinds[1], kinds[0]] : kinds).map((each) => formula(maker, each, depth))
  if (!left || !right) throw new Error('BUG: two operands')
  return lifted([left, right], `(${left.text} ${op} ${right.text})`, (a, b) => {
    if (kind === 'double') return held(kind, onDoubles(op, Number(a), Number(b)))
    const [x, y] = [BigInt(a), BigInt(b)]
    if ((op === '/' || op === '%') && y === 0n) return undefined
    return held(
      kind,
      { '+': () => x + y, '-': () => x - y, '*': () => x * y, '/': () => x / y, '%': () => x % y }[op](),
    )
  })
}

function onDoubles(op: '+' | '-' | '*' | '/' | '%', x: number, y: number): number {
  return { '+': x + y, '-': x - y, '*': x * y, '/': x / y, '%': x % y }[op]
}

const toDouble: Make = (maker, depth) => {
  const of = formula(maker, pick(maker.g, ['long', 'integer']), depth)
  return { text: `TO_DOUBLE(${of.text})`, of: (row) => of.of(row).map(Number) }
}

const length: Make = (maker, depth) => {
  const of = formula(maker, 'keyword', depth)
  return lifted([of], `LENGTH(${of.text})`, (text) => BigInt([...String(text)].length))
}

const anyKind = ['integer', 'long', 'double', 'keyword', 'boolean', 'date'] as const

const countOfList: Make = (maker, depth) => {
  const of = formula(maker, pick(maker.g, anyKind), depth)
  return {
    text: `MV_COUNT(${of.text})`,
    of(row) {
      const { length: count } = of.of(row)
      return count === 0 ? [] : [BigInt(count)]
    },
  }
}

const sumOfList: Make = (maker, depth) => {
  const of = formula(maker, 'long', depth)
  const sum = (cell: Cell) => cell.map((each) => BigInt(each)).reduce((a, b) => a + b, 0n)
  return {
    text: `MV_SUM(${of.text})`,
    of: (row) => (of.of(row).length === 0 ? [] : cellOf(held('long', sum(of.of(row))))),
  }
}

const chosenOfList: Make = (maker, depth, kind) => {
  const name = pick(maker.g, ['MV_MIN', 'MV_MAX', 'MV_FIRST', 'MV_LAST', 'MV_SORT', 'MV_DEDUPE'] as const)
  const of = formula(maker, kind, depth)
  return {
    text: `${name}(${of.text})`,
    of(row) {
      const given = of.of(row)
      const sorted = [...given].sort(order)
      if (name === 'MV_SORT') return sorted
      if (name === 'MV_DEDUPE') return [...new Set(given)]
      return {
        MV_MIN: sorted.slice(0, 1),
        MV_MAX: sorted.slice(-1),
        MV_FIRST: given.slice(0, 1),
        MV_LAST: given.slice(-1),
      }[name]
    },
  }
}

const chosen: Make = (maker, depth, kind) => {
  const [condition, yes, no] = [
    formula(maker, 'boolean', depth),
    formula(maker, kind, depth),
    formula(maker, kind, depth),
  ]
  return {
    text: `CASE(${condition.text}, ${yes.text}, ${no.text})`,
    of: (row) => (one(condition.of(row)) === true ? yes.of(row) : no.of(row)),
  }
}

const coalesced: Make = (maker, depth, kind) => {
  const [first, second] = [formula(maker, kind, depth), formula(maker, kind, depth)]
  return {
    text: `COALESCE(${first.text}, ${second.text})`,
    of: (row) => (first.of(row).length > 0 ? first.of(row) : second.of(row)),
  }
}

/** Of a list its own greatest or least counts. */
const extreme: Make = (maker, depth, kind) => {
  const name = pick(maker.g, ['GREATEST', 'LEAST'] as const)
  const sides = [formula(maker, kind, depth), formula(maker, kind, depth)]
  return {
    text: `${name}(${sides.map(({ text }) => text).join(', ')})`,
    of(row) {
      const cells = sides.map((each) => each.of(row))
      if (cells.some((cell) => cell.length === 0)) return []
      return cellOf(
        cells
          .flat()
          .sort(order)
          .at(name === 'LEAST' ? 0 : -1),
      )
    },
  }
}

const concat: Make = (maker, depth) => {
  const sides = [formula(maker, 'keyword', depth), formula(maker, 'keyword', depth)]
  return lifted(sides, `CONCAT(${sides.map(({ text }) => text).join(', ')})`, (a, b) => `${a}${b}`)
}

const substring: Make = (maker, depth) => {
  const of = formula(maker, 'keyword', depth)
  const [start, count] = [pick(maker.g, [1, 2, 3]), pick(maker.g, [0, 1, 5])]
  return lifted([of], `SUBSTRING(${of.text}, ${start}, ${count})`, (text) =>
    [...String(text)].slice(start - 1, start - 1 + count).join(''),
  )
}

const upper: Make = (maker, depth) => {
  const of = formula(maker, 'keyword', depth)
  return { text: `TO_UPPER(${of.text})`, of: (row) => of.of(row).map((each) => String(each).toUpperCase()) }
}

const appended: Make = (maker, depth, kind) => {
  const [a, b] = [formula(maker, kind, depth), formula(maker, kind, depth)]
  return {
    text: `MV_APPEND(${a.text}, ${b.text})`,
    of: (row) => (a.of(row).length === 0 || b.of(row).length === 0 ? [] : [...a.of(row), ...b.of(row)]),
  }
}

const toText: Make = (maker, depth) => {
  const of = formula(maker, pick(maker.g, ['integer', 'long', 'boolean']), depth)
  return { text: `TO_STRING(${of.text})`, of: (row) => of.of(row).map(String) }
}

const joined: Make = (maker, depth) => {
  const of = formula(maker, 'keyword', depth)
  return { text: `MV_CONCAT(${of.text}, "-")`, of: (row) => (of.of(row).length === 0 ? [] : [of.of(row).join('-')]) }
}

const shifted: Make = (maker, depth) => {
  const of = formula(maker, 'date', depth)
  const days = pick(maker.g, [1, 30])
  return lifted(
    [of],
    `(${of.text} ${chance(maker.g, 50) ? '+' : '+'} ${days} days)`,
    (ms) => BigInt(ms) + BigInt(days) * 86_400_000n,
  )
}

const comparison: Make = (maker, depth) => {
  const kind = pick(maker.g, anyKind)
  const ops = ['==', '!=', '<', '<=', '>', '>='] as const
  const op = kind === 'boolean' ? pick(maker.g, ['==', '!='] as const) : pick(maker.g, ops)
  const other = ['integer', 'long', 'double'].includes(kind)
    ? pick(maker.g, ['integer', 'long', 'double'] as const)
    : kind
  const [left, right] = [formula(maker, kind, depth), formula(maker, other, depth)]
  const isDouble = kind === 'double' || other === 'double'
  return lifted([left, right], `(${left.text} ${op} ${right.text})`, (a, b) => {
    const sign = isDouble ? order(Number(a), Number(b)) : order(a, b)
    return { '==': sign === 0, '!=': sign !== 0, '<': sign < 0, '<=': sign <= 0, '>': sign > 0, '>=': sign >= 0 }[op]
  })
}

const junction: Make = (maker, depth) => {
  const op = pick(maker.g, ['AND', 'OR', 'NOT'] as const)
  const left = formula(maker, 'boolean', depth)
  if (op === 'NOT') return lifted([left], `(NOT ${left.text})`, (a) => a !== true)
  const right = formula(maker, 'boolean', depth)
  const decides = op === 'OR'
  const text = `(${left.text} ${op} ${right.text})`
  const [a, b] = [left.same ?? left.text, right.same ?? right.text]
  // What needs no junction is what is left of it, also where that has several values.
  if (a === String(decides) || b === String(decides)) return { text, same: String(decides), of: () => [decides] }
  if (a === String(!decides) || a === b) return { text, same: b, of: right.of }
  if (b === String(!decides)) return { text, same: a, of: left.of }
  return {
    text,
    of(row) {
      const cells = [left.of(row), right.of(row)]
      if (cells.some(({ length }) => length > 1)) return []
      const sides = cells.map(one)
      if (sides.includes(decides)) return [decides]
      return sides.includes(undefined) ? [] : [!decides]
    },
  }
}

const isNull: Make = (maker, depth) => {
  const of = formula(maker, pick(maker.g, anyKind), depth)
  const not = chance(maker.g, 50)
  return { text: `(${of.text} IS ${not ? 'NOT ' : ''}NULL)`, of: (row) => [(of.of(row).length === 0) !== not] }
}

const among: Make = (maker, depth) => {
  const kind = pick(maker.g, ['integer', 'keyword', 'boolean'] as const)
  const of = formula(maker, kind, depth)
  const members = Array.from({ length: pick(maker.g, [1, 2, 3, 4]) }, () => formula(maker, kind, 0))
  const not = chance(maker.g, 30)
  return {
    text: `(${of.text} ${not ? 'NOT ' : ''}IN (${members.map(({ text }) => text).join(', ')}))`,
    of(row) {
      const value = one(of.of(row))
      const others = members.map((each) => one(each.of(row)))
      if (value === undefined) return []
      if (others.includes(value)) return [!not]
      return others.includes(undefined) ? [] : [not]
    },
  }
}

const startsWith: Make = (maker, depth) => {
  const name = pick(maker.g, ['STARTS_WITH', 'LIKE'] as const)
  const of = formula(maker, 'keyword', depth)
  const [text, prefix] = pick(maker.g, [
    ['a', 'a'],
    ['ü', 'ü'],
    ['', ''],
  ] as const)
  const form = name === 'LIKE' ? `(${of.text} LIKE "${text}*")` : `STARTS_WITH(${of.text}, "${text}")`
  // What any text fits is not asked of one, but whether there is any.
  if (name === 'LIKE' && prefix === '') return { text: form, of: (row) => [of.of(row).length > 0] }
  return lifted([of], form, (each) => String(each).startsWith(prefix))
}
