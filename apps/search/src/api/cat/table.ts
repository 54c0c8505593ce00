import { AppError, searchErrors } from '@logstack/errors'
import { fitsStars } from '@logstack/rules'
import { stringify as stringifyYaml } from 'yaml'
import { timeUnitsMs } from '../../values/unit-values.ts'
import type { ParameterTable, RouteAnswer, RouteRequest } from '../define-route.ts'

/** A cell before it is written: sizes and durations are numbers until the request's unit is known. */
export type Cell = string | number | undefined | { readonly bytes: number } | { readonly ms: number }

/** A column of a `_cat` table. */
export interface CatColumn<Row> {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly description: string
  /** Shown without `h`. */
  readonly shown?: boolean
  readonly right?: boolean
  readonly cell: (row: Row) => Cell
}

/** The parameters every `_cat` route takes. */
export const catParameters = {
  v: 'boolean',
  h: 'list',
  s: 'list',
  help: 'boolean',
  format: 'string',
  bytes: ['b', 'kb', 'mb', 'gb', 'tb', 'pb', 'k', 'm', 'g', 't', 'p'],
  time: ['nanos', 'micros', 'ms', 's', 'm', 'h', 'd'],
  local: 'boolean',
  master_timeout: 'time',
  expand_wildcards: 'list',
} as const satisfies ParameterTable

/** Answers a `_cat` request: help, a text table, or the same as JSON or YAML. */
export async function catAnswer<Row>(
  request: RouteRequest,
  columns: readonly CatColumn<Row>[],
  rows: () => Promise<readonly Row[]> | readonly Row[],
): Promise<RouteAnswer> {
  if (request.query['help'] === true) return { text: helpText(columns) }
  const shown = chosen(columns, request.query['h'] as string[] | undefined)
  const sorted = sortRows(await rows(), columns, request.query['s'] as string[] | undefined)
  const units = {
    bytes: request.query['bytes'] as string | undefined,
    time: request.query['time'] as string | undefined,
  }
  const table = sorted.map((row) => shown.map(({ column }) => write(column.cell(row), units)))
  if (request.answerFormat === 'json' || request.answerFormat === 'yaml') {
    const objects = table.map((cells) => Object.fromEntries(shown.map(({ label }, at) => [label, cells[at] ?? null])))
    return request.answerFormat === 'json'
      ? { json: objects }
      : { text: `---\n${stringifyYaml(objects)}`, headers: { 'content-type': 'application/yaml' } }
  }
  return { text: textTable(shown, table, request.query['v'] === true) }
}

interface ShownColumn<Row> {
  readonly column: CatColumn<Row>
  /** As it was asked for: an alias stays an alias in the header. */
  readonly label: string
}

function chosen<Row>(columns: readonly CatColumn<Row>[], asked: readonly string[] | undefined): ShownColumn<Row>[] {
  const show = (column: CatColumn<Row>, label = column.name): ShownColumn<Row> => ({ column, label })
  if (!asked || asked.length === 0) {
    return columns.filter((column) => column.shown).map((column) => show(column))
  }
  return asked.flatMap((name) => {
    if (name.includes('*'))
      return columns.filter((column) => fitsStars(column.name, name)).map((column) => show(column))
    const column = findColumn(columns, name)
    return column ? [show(column, name)] : []
  })
}

function findColumn<Row>(columns: readonly CatColumn<Row>[], name: string): CatColumn<Row> | undefined {
  return columns.find((column) => column.name === name || column.aliases?.includes(name))
}

function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly CatColumn<Row>[],
  by: readonly string[] | undefined,
): readonly Row[] {
  if (!by || by.length === 0) return rows
  const keys = by.map((text) => {
    const [, name = text, order] = /^(.*?)(?::(asc|desc))?$/.exec(text) ?? []
    const column = findColumn(columns, name)
    if (!column) {
      throw new AppError(searchErrors.illegal_argument_exception, `Unable to sort by unknown sort key \`${name}\``)
    }
    return { column, sign: order === 'desc' ? -1 : 1 }
  })
  return [...rows].sort((a, b) => {
    for (const { column, sign } of keys) {
      const order = compareCells(column.cell(a), column.cell(b))
      if (order !== 0) return order * sign
    }
    return 0
  })
}

function compareCells(a: Cell, b: Cell): number {
  const left = comparable(a)
  const right = comparable(b)
  if (typeof left === 'number' && typeof right === 'number') return left - right
  const texts = [String(left), String(right)] as const
  return texts[0] < texts[1] ? -1 : texts[0] > texts[1] ? 1 : 0
}

function comparable(cell: Cell): string | number {
  if (typeof cell !== 'object') return cell ?? ''
  return 'bytes' in cell ? cell.bytes : cell.ms
}

const byteSteps = ['b', 'kb', 'mb', 'gb', 'tb', 'pb'] as const

/** A size as Elasticsearch shows it: one decimal, cut off, in the largest unit that leaves a whole number. */
function humanBytes(bytes: number): string {
  let at = 0
  let amount = bytes
  for (; amount >= 1024 && at < byteSteps.length - 1; at++) amount /= 1024
  return `${at === 0 ? bytes : Math.floor(amount * 10) / 10}${byteSteps[at]}`
}

function humanTime(ms: number): string {
  const steps = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ] as const
  const step = steps.find(([, length]) => ms >= length)
  if (ms === 0) return '0s'
  return step ? `${Math.floor((ms / step[1]) * 10) / 10}${step[0]}` : `${ms}ms`
}

function write(cell: Cell, units: { bytes: string | undefined; time: string | undefined }): string | undefined {
  if (cell === undefined) return undefined
  if (typeof cell !== 'object') return String(cell)
  if ('ms' in cell)
    return units.time ? String(Math.floor(cell.ms / (timeUnitsMs[units.time] ?? 1))) : humanTime(cell.ms)
  if (!units.bytes) return humanBytes(cell.bytes)
  const power = ['b', 'k', 'm', 'g', 't', 'p'].indexOf(units.bytes.charAt(0))
  return String(Math.floor(cell.bytes / 1024 ** Math.max(0, power)))
}

function textTable<Row>(
  shown: readonly ShownColumn<Row>[],
  table: readonly (readonly (string | undefined)[])[],
  withHeader: boolean,
): string {
  const lines = withHeader ? [shown.map(({ label }) => label), ...table] : table
  const widths = shown.map((_, at) => Math.max(0, ...lines.map((line) => line[at]?.length ?? 0)))
  return lines
    .map((line) => {
      const cells = shown.map(({ column }, at) => {
        const text = line[at] ?? ''
        const width = widths[at] ?? 0
        if (column.right) return text.padStart(width)
        return at === shown.length - 1 ? text : text.padEnd(width)
      })
      return `${cells.join(' ')}\n`
    })
    .join('')
}

function helpText<Row>(columns: readonly CatColumn<Row>[]): string {
  const lines = columns.map(({ name, aliases = [], description }) => [name, aliases.join(','), description] as const)
  const widths = [0, 1, 2].map((at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines.map((line) => `${line.map((text, at) => text.padEnd(widths[at] ?? 0)).join(' | ')}\n`).join('')
}
