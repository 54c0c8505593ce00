import { once } from './once.ts'
import { type Sql, sql } from './sql.ts'

/** A part of figures before which its length stands, so that 10 comes after 9; `least` is the letter of none. */
function figures(part: Sql, least: number): Sql {
  const plain = sql`trim(LEADING '0' FROM ${part})`
  return least === 1
    ? sql`concat(char(1 + least(length(${plain}), 40)), ${plain})`
    : sql`concat(char(64 + least(length(${plain}), 190)), ${plain})`
}

/**
 * A text whose order is that of versions: numbers by their size, a pre-release before its release, its numbers before its words, and what is no version behind all that are.
 */
export function versionKey(version: Sql): Sql {
  return once('version_of', version, (v) => {
    const main = sql`arrayStringConcat(arrayMap(p -> ${figures(sql`p`, 64)}, splitByChar('.', extract(assumeNotNull(${v}), '^[0-9.]+'))))`
    const rest = sql`extract(assumeNotNull(${v}), '^[0-9.]+-([0-9A-Za-z.-]+)')`
    const words = sql`arrayStringConcat(arrayMap(p -> concat(if(match(p, '^[0-9]+$'), ${figures(sql`p`, 1)}, p), char(0)), splitByChar('.', ${rest})))`
    const build = sql`extract(assumeNotNull(${v}), '[+](.*)$')`
    const ofVersion = sql`concat(${main}, if(empty(${rest}), char(3), concat(char(2), ${words})), ${build})`
    const isVersion = sql`match(${v}, '^[0-9]+([.][0-9]+)*(-[0-9A-Za-z.-]+)?([+][0-9A-Za-z.-]+)?$')`
    return sql`multiIf(isNull(${v}), NULL, ${isVersion}, ${ofVersion}, concat(char(255), ${v}))`
  })
}

/** A text that is ordered as a version is and ends in it, behind the only space that is not its own: what rows are sorted by and show. */
export function versionRank(version: Sql): Sql {
  return sql`concat(hex(${versionKey(version)}), ' ', ${version})`
}

/** The version that a rank ends in. */
export function versionOfRank(rank: string): string {
  return rank.slice(rank.indexOf(' ') + 1)
}
