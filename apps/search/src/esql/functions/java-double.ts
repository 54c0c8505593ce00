import { once } from '../../sql/once.ts'
import { type Sql, sql } from '../../sql/sql.ts'

/**
 * A double as Java prints it: with a point, and from 10^7 on and below 10^-3 with an exponent. The digits are the fewest that tell it from its neighbours, which Java's
 * before version 19 are not always.
 */
export function javaDouble(value: Sql): Sql {
  return once('double_of', value, (number) => {
    const plain = once('double_text', sql`toString(abs(${number}))`, (text) =>
      once(
        'double_parts',
        sql`extractGroups(assumeNotNull(${text}), '^([0-9]+)[.]?([0-9]*)(?:e([-+]?[0-9]+))?$')`,
        (parts) => {
          const pointed = sql`concat(${parts}[1], '.', if(empty(${parts}[2]), '0', ${parts}[2]))`
          return sql`multiIf(notEmpty(${parts}[3]), concat(${pointed}, 'E', toString(toInt32OrZero(${parts}[3]))), abs(${number}) = 0 OR abs(${number}) >= 0.001 AND abs(${number}) < 10000000, ${pointed}, ${scaled(parts)})`
        },
      ),
    )
    return sql`if(isNull(${number}), NULL, concat(if(startsWith(toString(${number}), '-'), '-', ''), ${plain}))`
  })
}

/** The parts of a number that was printed without an exponent, with one. */
function scaled(parts: Sql): Sql {
  const figures = sql`trim(TRAILING '0' FROM trim(LEADING '0' FROM concat(${parts}[1], ${parts}[2])))`
  const exponent = sql`if(${parts}[1] = '0', -1 - toInt32(length(extract(${parts}[2], '^0*'))), toInt32(length(${parts}[1])) - 1)`
  return sql`concat(substring(${figures}, 1, 1), '.', if(length(${figures}) > 1, substring(${figures}, 2), '0'), 'E', toString(${exponent}))`
}
