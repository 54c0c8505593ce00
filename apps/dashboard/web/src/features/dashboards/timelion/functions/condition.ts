import { mapValues, type Series } from '../language/series.ts'
import { defineChainable, type TimelionFunction } from './define.ts'

type Value = number | null
type Operand = Value | readonly Series[] | undefined

// A gap is less than one, as it is in Kibana, and is equal to nothing but a gap.
const operators = {
  eq: (left: Value, right: Value) => left === right,
  ne: (left: Value, right: Value) => left !== right,
  lt: (left: Value, right: Value) => Number(left) < Number(right),
  lte: (left: Value, right: Value) => Number(left) <= Number(right),
  gt: (left: Value, right: Value) => Number(left) > Number(right),
  gte: (left: Value, right: Value) => Number(left) >= Number(right),
} as const
const names = Object.keys(operators) as (keyof typeof operators)[]

/** The value of an operand at a point: of series the first one's. */
function valueAt(operand: Operand, at: number): Value {
  if (operand === undefined || operand === null || typeof operand === 'number') return operand ?? null
  return operand[0]?.points[at]?.[1] ?? null
}

/** Values that depend on how they compare to others. */
export const condition: TimelionFunction = defineChainable(
  'condition',
  { aliases: ['if'], parameters: ['operator', 'if', 'then', 'else'] },
  (series, given) => {
    given.neededText('operator')
    const holds = operators[given.choice('operator', names) ?? 'eq']
    const [compared, then, otherwise] = [given.operand('if'), given.operand('then'), given.operand('else')]
    return series.map((one) =>
      mapValues(one, (value, at) => {
        if (holds(value, valueAt(compared, at))) return valueAt(then, at)
        return otherwise === undefined ? value : valueAt(otherwise, at)
      }),
    )
  },
)
