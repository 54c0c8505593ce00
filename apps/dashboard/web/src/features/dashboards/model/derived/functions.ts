type Value = number | null

const truth = (is: boolean): number => (is ? 1 : 0)

/** A function of numbers that has no value where one of them is missing. */
const strict =
  (calculate: (...values: number[]) => number) =>
  (args: readonly Value[]): Value => {
    const values = args.filter((arg) => arg !== null)
    return values.length === args.length ? calculate(...values) : null
  }

const mean = (...values: number[]): number => sum(...values) / values.length

function sum(...values: number[]): number {
  let total = 0
  for (const value of values) total += value
  return total
}

/** The functions of Lens formulas and of TSVB's math, with the operators by the names that Lens gives them in its syntax trees. */
export const functions: ReadonlyMap<string, (args: readonly Value[]) => Value> = new Map([
  ['add', strict(sum)],
  ['subtract', strict((left, right) => left - right)],
  ['multiply', strict((...values) => values.reduce((product, value) => product * value, 1))],
  ['divide', strict((left, right) => left / right)],
  ['mod', strict((left, right) => left % right)],
  ['pow', strict((base, power) => base ** power)],
  ['abs', strict(Math.abs)],
  ['cbrt', strict(Math.cbrt)],
  ['ceil', strict(Math.ceil)],
  ['floor', strict(Math.floor)],
  ['fix', strict(Math.trunc)],
  ['exp', strict(Math.exp)],
  ['sqrt', strict(Math.sqrt)],
  ['square', strict((value) => value ** 2)],
  ['cube', strict((value) => value ** 3)],
  ['log', strict((value, base) => (base === undefined ? Math.log(value) : Math.log(value) / Math.log(base)))],
  ['log10', strict(Math.log10)],
  ['round', strict((value, digits = 0) => Math.round(value * 10 ** digits) / 10 ** digits)],
  ['clamp', strict((value, low, high) => Math.min(Math.max(value, low), high))],
  ['min', strict(Math.min)],
  ['max', strict(Math.max)],
  ['pick_min', strict(Math.min)],
  ['pick_max', strict(Math.max)],
  ['sum', strict(sum)],
  ['mean', strict(mean)],
  ['gt', strict((left, right) => truth(left > right))],
  ['gte', strict((left, right) => truth(left >= right))],
  ['lt', strict((left, right) => truth(left < right))],
  ['lte', strict((left, right) => truth(left <= right))],
  // These two are asked whether a number is missing.
  ['eq', ([left, right]) => truth(left === right)],
  ['neq', ([left, right]) => truth(left !== right)],
  ['and', strict((...values) => truth(values.every((value) => value !== 0)))],
  ['or', strict((...values) => truth(values.some((value) => value !== 0)))],
  ['not', strict((value) => truth(value === 0))],
  ['ifelse', ([condition, then, otherwise]) => (condition ? (then ?? null) : (otherwise ?? null))],
  ['defaults', ([value, otherwise]) => value ?? otherwise ?? null],
])
