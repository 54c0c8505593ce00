import { once } from '../sql/once.ts'
import { num, type Sql, sql } from '../sql/sql.ts'

/** Bits that a number of 53 is moved by at once, within 256. */
const step = 190
/** The most bits that the exponents of two doubles are apart. */
const apartMax = 2098

const bitsOf = (value: Sql): Sql => sql`reinterpretAsUInt64(abs(${value}))`

/** A double as a whole number times a power of two: that number, and the exponent. */
function whole(bits: Sql): Sql {
  return sql`toUInt256(bitAnd(${bits}, 4503599627370495) + if(bitShiftRight(${bits}, 52) > 0, 4503599627370496, 0))`
}

function exponent(bits: Sql): Sql {
  return sql`(toInt32(greatest(bitShiftRight(${bits}, 52), 1)) - 1075)`
}

/** 2 to a power from -1022 on. */
function power(of: Sql): Sql {
  return sql`reinterpretAsFloat64(bitShiftLeft(toUInt64(1023 + ${of}), 52))`
}

/** A whole number times a power of two, both such that a double holds the product exactly: in two steps, as the power may be below what one is. */
function scaled(value: Sql, by: Sql): Sql {
  return sql`(toFloat64(${value}) * ${power(sql`greatest(${by}, -1022)`)} * ${power(sql`least(${by} + 1022, 0)`)})`
}

/**
 * The rest of a division of doubles with the sign of the dividend, exactly as C's `fmod`. The engine's own `modulo` takes it of the rounded quotient: 5.5 % 0.1 is 0 to it.
 * NULL where there is none.
 */
export function doubleRest(dividend: Sql, divisor: Sql): Sql {
  return once('rest_a', dividend, (a) =>
    once('rest_b', divisor, (b) =>
      once('rest_ab', bitsOf(a), (aBits) =>
        once('rest_bb', bitsOf(b), (bBits) => {
          const isNone = sql`isNull(${a}) OR isNull(${b}) OR ${b} = 0 OR NOT isFinite(${a}) OR isNaN(${b})`
          const rest = sql`if(${a} < 0, -${magnitude(aBits, bBits)}, ${magnitude(aBits, bBits)})`
          return sql`multiIf(${isNone}, NULL, abs(${a}) < abs(${b}), ${a}, ${rest})`
        }),
      ),
    ),
  )
}

function magnitude(aBits: Sql, bBits: Sql): Sql {
  const bits = (of: Sql) => sql`assumeNotNull(${of})`
  const [m, d] = [whole(bits(aBits)), sql`greatest(${whole(bits(bBits))}, toUInt256(1))`]
  const apart = sql`greatest(${exponent(bits(aBits))} - ${exponent(bits(bBits))}, 0)`
  const steps = sql`arrayMap(i -> least(greatest(rest_apart - i * ${num(step)}, 0), ${num(step)}), range(${num(Math.ceil(apartMax / step))}))`
  const folded = sql`arrayFold((r, s) -> toUInt256(bitShiftLeft(r, s) % rest_d), ${steps}, toUInt256(${m} % rest_d))`
  const rest = sql`if(rest_apart <= ${num(step)}, bitShiftLeft(${m}, rest_apart) % rest_d, ${folded})`
  const fullRest = sql`arrayMap((rest_apart, rest_d) -> ${rest}, [${apart}], [${d}])[1]`
  return scaled(fullRest, exponent(bits(bBits)))
}
