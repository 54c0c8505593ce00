import { calculate } from './arithmetic.ts'
import { castNumber, numberOf, numberTypeOf } from './typed-number.ts'

type Static = (...args: never[]) => unknown

/** A function of doubles that gives one: scripts have these forms alone of those Java has. */
const ofDoubles =
  (apply: (...values: number[]) => number): Static =>
  (...given: unknown[]) =>
    numberOf('double', apply(...given.map((value) => Number(castNumber('double', value)))))

/** The whole number of two beside a fraction: the even one (IEEE 754). */
function nearestEven(value: number): number {
  const low = Math.floor(value)
  if (value - low !== 0.5) return Math.round(value)
  return low % 2 === 0 ? low : low + 1
}

const floored = (operator: '/' | '%') => (value: unknown, by: unknown) => {
  const cut = calculate(operator, value, by, 0)
  const rest = Number(calculate('%', value, by, 0))
  if (rest === 0 || rest < 0 === Number(by) < 0) return cut
  return operator === '/' ? calculate('-', cut, 1, 0) : calculate('+', cut, by, 0)
}

/** `Math`, whose methods take and give doubles, as Painless lends them. */
export const mathStatics: Readonly<Record<string, Static>> = {
  ...Object.fromEntries(
    (
      [
        ['abs', Math.abs],
        ['max', (one, other) => Math.max(one ?? 0, other ?? 0)],
        ['min', (one, other) => Math.min(one ?? 0, other ?? 0)],
        ['floor', Math.floor],
        ['ceil', Math.ceil],
        ['rint', nearestEven],
        ['sqrt', Math.sqrt],
        ['cbrt', Math.cbrt],
        ['pow', (base, power) => (base ?? 0) ** (power ?? 0)],
        ['log', Math.log],
        ['log10', Math.log10],
        ['log1p', Math.log1p],
        ['exp', Math.exp],
        ['expm1', Math.expm1],
        ['sin', Math.sin],
        ['cos', Math.cos],
        ['tan', Math.tan],
        ['asin', Math.asin],
        ['acos', Math.acos],
        ['atan', Math.atan],
        ['atan2', (one, other) => Math.atan2(one ?? 0, other ?? 0)],
        ['sinh', Math.sinh],
        ['cosh', Math.cosh],
        ['tanh', Math.tanh],
        ['hypot', (one, other) => Math.hypot(one ?? 0, other ?? 0)],
        ['signum', Math.sign],
        ['toRadians', (degrees) => degrees * 0.017453292519943295],
        ['toDegrees', (radians) => radians * 57.29577951308232],
        ['copySign', (size, sign) => Math.abs(size) * (sign < 0 || Object.is(sign, -0) ? -1 : 1)],
      ] satisfies [string, (one: number, other: number) => number][]
    ).map(([name, apply]) => [name, ofDoubles(apply as (...values: number[]) => number)]),
  ),
  round: (value: unknown) => castNumber('long', numberOf('double', Math.round(Number(castNumber('double', value))))),
  random: () => numberOf('double', Math.random()),
  PI: () => Math.PI,
  E: () => Math.E,
  floorMod: (value: unknown, by: unknown) => whole(floored('%'), value, by),
  floorDiv: (value: unknown, by: unknown) => whole(floored('/'), value, by),
}

function whole(apply: (value: unknown, by: unknown) => unknown, value: unknown, by: unknown): unknown {
  if (/^(?:float|double)$/u.test(numberTypeOf(value) ?? '')) throw new TypeError('whole numbers are needed')
  return apply(value, by)
}
