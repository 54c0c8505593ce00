/** A value that stands in an expression as it is. */
export type Literal = string | number | boolean | null

/** One argument; without a name it is known by its place. */
export interface Argument {
  readonly name?: string
  readonly value: Expression
}

/** A call of a function, `.lines(fill=1)`. */
export interface Call {
  readonly name: string
  readonly arguments: readonly Argument[]
  /** Its first letter, counted from 0, and its text. */
  readonly at: number
  readonly text: string
}

/** What an expression is made of; a variable is the very object that was given to it. */
export type Expression =
  /** Calls one after the other: on the series of a group, or from a data source. */
  | { readonly kind: 'chain'; readonly group?: readonly Expression[]; readonly calls: readonly Call[] }
  /** `@1:2`: the second chain of the first sheet, from 1; without the second number all of them. */
  | { readonly kind: 'reference'; readonly sheet: number; readonly chain?: number; readonly at: number }
  | { readonly kind: 'literal'; readonly value: Literal; readonly at: number }

/** What is wrong with an expression, in words for who wrote it. */
export class TimelionError extends Error {
  override readonly name = 'TimelionError'
}

const excerptLetters = 40

/** A place of an expression as people find it: its letter, counted from 1, and what stands there. */
export function placeOf(expression: string, at: number): string {
  const rest = expression.slice(at).replaceAll(/\s+/g, ' ').trim()
  const shown = rest.length > excerptLetters ? `${rest.slice(0, excerptLetters)}…` : rest
  return `at character ${at + 1}${shown === '' ? ' (its end)' : `: ${shown}`}`
}
