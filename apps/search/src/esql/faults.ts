import { placeOf } from '@logstack/errors'
import type { Place } from '@logstack/esql'
import { join, num, type Sql, sql, str } from '../sql/sql.ts'
import type { Value } from './value.ts'

/** Why an expression has no value in a row: a text of the engine, empty or NULL where that is no fault. */
export interface Fault extends Place {
  /** The expression, as it was written. */
  readonly text: string
  readonly reason: Sql
  /** Whether the reason is a list of such texts. */
  readonly many?: boolean
}

/** A fault as a column of rows: of several rows a list. */
export interface CarriedFault extends Place {
  readonly text: string
  readonly alias: Sql
  readonly many: boolean
  /** The columns that are made of the expression: without any the fault is nobody's business. */
  readonly of: readonly Sql[]
}

/** How many reasons of an expression are told. */
const reasonsMax = 20
/** Letters of an expression up to which it is looked at why it has no value: its text stands in the statement once more. */
const lettersMax = 5_000
/** The same of all expressions of a command together. */
const allLettersMax = 50_000

/** That a function of single values met several: '' where it did not. Undefined where none of the values can be several. */
export function severalReason(values: readonly Value[]): Sql | undefined {
  const last = values.findLastIndex(({ many }) => many)
  // What stands in the query is one value, and a span is no cell at all.
  const looked = values.slice(0, last + 1).filter(({ literal, many }) => many || (literal ?? null) === null)
  if (looked.length === 0 || looked.some(({ sql: { text } }) => text.length > lettersMax)) return undefined
  // The first that is none, or several, decides.
  const cases = looked.flatMap(({ many, sql: cell }) => [
    many ? sql`empty(${cell})` : sql`isNull(${cell})`,
    sql`''`,
    ...(many ? [sql`length(${cell}) > 1`, several] : []),
  ])
  return sql`multiIf(${join(cases, ', ')}, '')`
}

const several = exception('java.lang.IllegalArgumentException', 'single-value function encountered multi-value')

/** Takes faults down as long as their texts are not too many. */
export function noteIn(faults: Fault[]): (fault: Fault) => void {
  return (fault) => {
    const letters = faults.reduce((sum, { reason }) => sum + reason.text.length, fault.reason.text.length)
    if (letters <= allLettersMax) faults.push(fault)
  }
}

/** A reason where a result is missing though none of its operands is; undefined where that is too long to be asked. */
export function missingReason(result: Sql, operands: readonly Sql[], reason: Sql): Sql | undefined {
  if (result.text.length > lettersMax) return undefined
  const there = operands.map((operand) => sql`isNotNull(${operand})`)
  return sql`if(${join([sql`isNull(${result})`, ...there], ' AND ')}, ${reason}, '')`
}

/** The first of several reasons. */
export function firstReason(reasons: readonly (Sql | undefined)[]): Sql | undefined {
  const known = reasons.flatMap((reason) => (reason === undefined ? [] : [reason]))
  const [first, ...others] = known
  return others.reduce<Sql | undefined>(
    (all, each) => all && sql`concat(${all}, if(empty(${all}), ${each}, ''))`,
    first,
  )
}

/** The cell of a fault beside that of the expression. */
export function faultCell({ reason, many }: Fault): Sql {
  return many ? reason : sql`ifNull(${reason}, '')`
}

/** The reasons of all rows of a group. */
export function gatheredReasons({ sql: cell, many }: { readonly sql: Sql; readonly many: boolean }): Sql {
  const most = num(reasonsMax)
  return many ? sql`groupUniqArrayArray(${most})(${cell})` : sql`groupUniqArray(${most})(${cell})`
}

/** The faults, with a column that was made of others among those that are made of an expression. */
export function followed(faults: readonly CarriedFault[], alias: Sql, value: Sql): readonly CarriedFault[] {
  return faults.map((fault) =>
    fault.of.some(({ text }) => value.text.includes(text)) ? { ...fault, of: [...fault.of, alias] } : fault,
  )
}

/** The warnings that the cells of a fault come to. */
export function faultWarnings(
  query: string,
  { from, text }: CarriedFault,
  cells: readonly unknown[],
): readonly string[] {
  const reasons = [...new Set(cells.flat())]
    .filter((cell) => typeof cell === 'string' && cell !== '')
    .slice(0, reasonsMax)
  if (reasons.length === 0) return []
  const place = placeOf(query, from).replace('line', 'Line')
  const told = `${place}: evaluation of [${text}] failed, treating result as null. Only first ${reasonsMax} failures recorded.`
  return [told, ...reasons.map((reason) => `${place}: ${String(reason)}`)]
}

/** A reason that an exception of Java is. */
export function exception(name: string, message: string): Sql {
  return str(`${name}: ${message}`)
}
