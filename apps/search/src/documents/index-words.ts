import type { Pattern } from '@logstack/rules'
import type { Engine, ReadOptions } from '../engine/engine.ts'
import { tokenIndexName } from '../engine/table-layout.ts'
import type { Column, TableMeta } from '../model/table.ts'
import { matchSql } from '../sql/pattern-to-sql.ts'
import { ident, join, nothing, num, type Sql, sql, str } from '../sql/sql.ts'
import { tokensOf } from '../sql/text-tokens.ts'

/** Most words that a pattern stands for, and the bytes of all of them: each word costs a statement 0.05 to 0.1 ms (ADR 0007). */
const wordsMax = 1_024
const wordBytesMax = 64 * 1024

/** Rows without an index whose texts are cut at most: 10 ms of a processor. */
const otherRowsMax = 8_192

/** A column with a token index. */
export interface IndexedColumn {
  readonly table: TableMeta
  readonly column: Column
}

/** What is known of a column's token index. */
export interface IndexSize {
  /** Words in the indexes of all parts; one that several parts have counts in each. */
  readonly words: number
  /** Rows of the table, and those of parts that have no index, without a text or with one. */
  readonly rows: number
  readonly otherRows: number
}

interface IndexedParts extends IndexSize {
  /** Parts that have the index, by name, and their words. A part and its index never change, and its name is never used again. */
  readonly parts: ReadonlyMap<string, number>
  /** The highest sequence number of the snapshot they were asked for. */
  readonly seq: number
}

const nothingKnown: IndexedParts = { parts: new Map(), words: 0, rows: 0, otherRows: 0, seq: 0 }

/** What is looked for among the words of a column. */
export interface WordsWanted extends IndexedColumn {
  readonly patterns: readonly Pattern[]
  /** The rows whose words must be among those found: rows that never change, such as those of a snapshot. */
  readonly rows: { readonly from: Sql; readonly where: Sql }
}

/** The words that match a pattern. */
export interface FoundWords {
  readonly words: readonly string[]
  /** In how many rows the indexes have each of them, all together: so many numbers of rows are read when rows with any of the words are looked for. */
  readonly listed: number
}

/**
 * Reads the words that match a pattern out of token indexes, as the engine's table function shows them, and out of the texts of the rows that lie in
 * parts without an index: what came in small inserts and is not merged yet, and what is older than the index (ADR 0002).
 */
export class IndexWords {
  readonly #known = new Map<string, IndexedParts>()
  #lookUps = 0

  /** How large the index is, and the table was. Asked anew where `rowsMin` rows may be there by now that were not, and while many rows have no index. */
  async size(
    engine: Pick<Engine, 'rows'>,
    place: IndexedColumn,
    { seq, rowsMin }: { readonly seq: number; readonly rowsMin: number },
    read: ReadOptions,
  ): Promise<IndexSize> {
    const known = this.#known.get(keyOf(place)) ?? nothingKnown
    // No table has more rows than were numbered.
    const rowsNow = known.rows + Math.max(0, seq - known.seq)
    const isSettled = rowsNow < rowsMin || (known.rows >= rowsMin && known.otherRows <= otherRowsMax)
    return isSettled ? known : this.#learn(engine, place, seq, read)
  }

  /**
   * The words that match each pattern: all that the rows have, and perhaps some that they do not. Undefined for a pattern that too many words match, and of
   * all where too many rows have no index.
   *
   * No word of a row is missed, whatever is merged or rewritten meanwhile. It is known of some parts that they have the index. After that the
   * dictionaries are read of all parts that are active then, and only after that the rows that are in none of the known parts. A row is in one active
   * part when the latter is read: if that is none of the known parts the row is read itself; if it is one, it was active before, too, because it was
   * known before and a part that is gone never comes back, so its dictionary was read. Therefore neither may be an answer that was kept of an earlier
   * look-up: each is numbered, whatever the patterns say, for answers are kept by the text of their statement.
   */
  async matching(
    engine: Pick<Engine, 'rows'>,
    wanted: WordsWanted,
    seq: number,
    read: ReadOptions,
  ): Promise<readonly (FoundWords | undefined)[]> {
    const none = wanted.patterns.map(() => undefined)
    let { parts } = this.#known.get(keyOf(wanted)) ?? (await this.#learn(engine, wanted, seq, read))
    for (let attempt = 0; attempt < 2; attempt += 1) {
      this.#lookUps += 1
      const mark = sql`/* look-up ${num(this.#lookUps)} */`
      const [inIndex = []] = await engine.rows(indexedWords(wanted, mark), read)
      const [[count, ...inRows] = []] = await engine.rows(otherWords(wanted, [...parts.keys()], mark), read)
      if (Number(count) <= otherRowsMax)
        return wanted.patterns.map((_, at) => together(inIndex[2 * at], inRows[at], Number(inIndex[2 * at + 1] ?? 0)))
      // New parts have come since.
      const newer = await this.#learn(engine, wanted, seq, read)
      if (newer.otherRows > otherRowsMax) return none
      parts = newer.parts
    }
    return none
  }

  /** Asks which parts have the index. Of those that are known to have it only whether they are still there: to read a dictionary takes as long as to look for words. */
  async #learn(
    engine: Pick<Engine, 'rows'>,
    place: IndexedColumn,
    seq: number,
    read: ReadOptions,
  ): Promise<IndexedParts> {
    const known = this.#known.get(keyOf(place))?.parts ?? new Map<string, number>()
    // Deleted rows are noted in parts of their own (`patch-…`), which say nothing of texts.
    const [indexed, active] = await Promise.all([
      engine.rows(
        sql`SELECT part_name, count() FROM ${dictionaries(place)} ${among(sql`WHERE part_name`, [...known.keys()])} GROUP BY part_name`,
        read,
      ),
      engine.rows(
        sql`SELECT name, rows FROM system.parts WHERE database = currentDatabase() AND table = ${str(place.table.name)} AND active AND NOT startsWith(name, 'patch-')`,
        read,
      ),
    ])
    const words = new Map([...known, ...indexed.map(([name, count]) => [String(name), Number(count)] as const)])
    const rows = active.map(([name, count]) => ({ name: String(name), rows: Number(count) }))
    const parts = new Map(
      rows.flatMap(({ name }) => {
        const count = words.get(name)
        return count === undefined ? [] : [[name, count] as const]
      }),
    )
    const others = sum(rows.filter(({ name }) => !parts.has(name)).map((part) => part.rows))
    const learned: IndexedParts = {
      parts,
      words: sum([...parts.values()]),
      rows: sum(rows.map((part) => part.rows)),
      otherRows: others <= otherRowsMax ? others : await withText(engine, place, [...parts.keys()], read),
      seq,
    }
    this.#known.set(keyOf(place), learned)
    return learned
  }
}

function keyOf({ table, column }: IndexedColumn): string {
  return `${table.id} ${column.id}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0)
}

/** The words of all parts that have the index of a column, a row for each word of each part. */
function dictionaries({ table, column }: IndexedColumn): Sql {
  return sql`mergeTreeTextIndex(currentDatabase(), ${str(table.name)}, ${str(tokenIndexName(column.name))})`
}

/** A condition that leaves these names out. */
function among(condition: Sql, names: readonly string[]): Sql {
  return names.length === 0 ? nothing : sql`${condition} NOT IN (${join(names.map(str), ', ')})`
}

/** How many rows in other parts than the given ones have a text, or one more than are cut: a part whose rows have none has no words either, and an event few of all fields. */
async function withText(
  engine: Pick<Engine, 'rows'>,
  { table, column }: IndexedColumn,
  parts: readonly string[],
  read: ReadOptions,
): Promise<number> {
  const some = sql`SELECT 1 FROM ${ident(table.name)} WHERE isNotNull(${ident(column.name)}) ${among(sql`AND _part`, parts)} LIMIT ${num(otherRowsMax + 1)}`
  const [[count = 0] = []] = await engine.rows(sql`SELECT count() FROM (${some})`, read)
  return Number(count)
}

/** Of each pattern the words of the dictionaries that match it, one more than can be used, and the rows they are listed with. */
function indexedWords(wanted: WordsWanted, mark: Sql): Sql {
  const matches = wanted.patterns.map((pattern) => matchSql(pattern, sql`token`))
  const cells = matches.map(
    (holds) => sql`groupUniqArrayIf(${num(wordsMax + 1)})(token, ${holds}), sumIf(cardinality, ${holds})`,
  )
  // Of a pattern with a fixed beginning the engine reads the blocks of the dictionary only that may hold it.
  return sql`SELECT ${join(cells, ', ')} FROM ${dictionaries(wanted)} WHERE ${join(matches, ' OR ')} ${mark}`
}

/** How many rows with a text lie in other parts than the given ones, or one more than are cut, and their words that match each pattern. */
function otherWords({ column, patterns, rows }: WordsWanted, parts: readonly string[], mark: Sql): Sql {
  const cells = patterns.map(
    (pattern) => sql`groupUniqArrayArray(${num(wordsMax + 1)})(arrayFilter(t -> ${matchSql(pattern, sql`t`)}, held))`,
  )
  const held = tokensOf(ident(column.name), column.cut ?? 'pattern')
  const some = sql`SELECT ${held} AS held FROM ${rows.from} WHERE ${rows.where} AND isNotNull(${ident(column.name)}) ${among(sql`AND _part`, parts)} LIMIT ${num(otherRowsMax + 1)}`
  return sql`SELECT ${join([sql`count()`, ...cells], ', ')} FROM (${some}) ${mark}`
}

/** What stands for bytes that are no text. */
const unreadable = '\ufffd'

/** The words of both, unless they are too many, or one of them cannot be written in a statement as it is in the index. */
function together(indexed: unknown, others: unknown, listed: number): FoundWords | undefined {
  // In one order, so that the statements of equal searches are equal.
  const words = [...new Set([...textsOf(indexed), ...textsOf(others)])].sort()
  const bytes = sum(words.map((word) => Buffer.byteLength(word)))
  const isUsable = words.length <= wordsMax && bytes <= wordBytesMax && !words.some((word) => word.includes(unreadable))
  return isUsable ? { words, listed } : undefined
}

function textsOf(cell: unknown): readonly string[] {
  return Array.isArray(cell) ? cell.map(String) : []
}
