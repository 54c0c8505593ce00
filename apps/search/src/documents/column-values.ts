import type { Logger } from '@logstack/logging'
import type { Engine } from '../engine/engine.ts'
import type { Catalogue } from '../indices/catalogue.ts'
import type { IndexMeta } from '../model/index-meta.ts'
import type { TableMeta } from '../model/table.ts'
import { ident, sql } from '../sql/sql.ts'
import { differentValues } from './different-values.ts'
import type { KeptValues, Known } from './kept-values.ts'
import type { TableContents } from './table-contents.ts'
import { isDecidedByValues, type ValueColumn, valueColumns } from './value-columns.ts'
import { fewOf, type KnownValues } from './value-set.ts'

/** Letters of all columns together; of more the columns with most are not kept. */
const lettersMax = 8 * 1024 ** 2
/** After a failure a table is not read again for so long. */
const failedMs = 30_000
/** So long searches wait while columns are read that have much to be read, counted from its beginning: they would take about as long themselves. */
const longWaitMs = 10_000
/** So long they wait for it to begin, and searches with a limit of their own for little; others have longer for that. */
const shortWaitMs = 250
const littleWaitMs = 2_000
/** Rows that tell at once which columns have too many values. */
const sampleRows = 65_536
/** Rows, by their numbers, that one statement reads: no more than a few seconds of a processor. */
const rowsAtOnce = 2_000_000
/** Rows that are few enough to be read while a search waits. More are read beside others, and as soon as they have come (`keepUp`). */
const littleRows = 200_000
/** Rows that must not be read again after a crash; after an orderly end none are. */
const keptRows = 1_000_000

/**
 * Rows that are read before any search asks: whoever loads all that a predecessor held, and then looks for a word, would wait for them. Columns that are too many for it: each
 * costs some 30 ns a row.
 */
const unaskedRows = 1_000_000
const unaskedColumnsMax = 100

/** What tells about rows of tables beside the engine. */
interface ValueSources {
  readonly contents: Pick<TableContents, 'restores'>
  readonly keptValues: Pick<KeptValues, 'of' | 'keep'>
}

/** Of which tables values are read; the tests ask for every one. */
export interface ColumnValuesOptions {
  /** Tables of fewer rows are searched in no time. */
  readonly rowsMin?: number
  /** Rows that one statement reads. */
  readonly rowsAtOnce?: number
  /** Tables of so many rows are read before a search asks. */
  readonly unaskedRows?: number
}

/** Columns that are being read, up to a number. */
interface Reading {
  readonly seq: number
  readonly names: ReadonlySet<string>
  /** Whether there is much to read. */
  readonly isLong: boolean
  readonly done: Promise<void>
  /** Resolves when the engine has begun with it. */
  readonly begun: Promise<void>
  beganAtMs: number | undefined
}

interface TableValues {
  table: TableMeta
  readonly restores: number
  readonly columns: Map<string, Known>
  /** The number up to which the table is not read, as it has few rows. */
  smallUntilSeq: number
  /** The number up to which it cannot have so many rows that it is read before a search asks. */
  largeFromSeq: number
  failedUntilMs: number
  reading: Reading | undefined
}

/**
 * The values of columns that have few different ones (names of hosts, levels, kinds of events), read from the engine once, kept over the end of search, and kept up with what is written since:
 * conditions on them can be decided without a look at the rows. Values of rows that are gone stay; a column that has too many different ones is not read again. Rows are read
 * a part at a time, in the order of their numbers, so that no table is too large for it, and a failure costs a part.
 */
export class ColumnValues {
  readonly #engine: Pick<Engine, 'rows'>
  readonly #contents: Pick<TableContents, 'restores'>
  readonly #kept: Pick<KeptValues, 'of' | 'keep'>
  /** Tables of fewer rows are not read. */
  readonly rowsMin: number
  readonly #rowsAtOnce: number
  readonly #unaskedRows: number
  readonly #tables = new Map<number, TableValues>()
  /** Tables are read one after the other, where there is much to read. */
  #last: Promise<void> = Promise.resolve()

  constructor(
    engine: Pick<Engine, 'rows'>,
    { contents, keptValues }: ValueSources,
    { rowsMin = 20_000, rowsAtOnce: atOnce = rowsAtOnce, unaskedRows: unasked = unaskedRows }: ColumnValuesOptions = {},
  ) {
    this.#engine = engine
    this.#contents = contents
    this.#kept = keptValues
    this.rowsMin = rowsMin
    this.#rowsAtOnce = atOnce
    this.#unaskedRows = unasked
  }

  /**
   * The values of columns by their names, of all rows up to `seq`, which must be the number of a snapshot: all of its rows are in the engine. Where there is much to read it is
   * read in the background; who `waits` does so for ten seconds at most. Those that take longer, or cannot be read, are left out: searches notice nothing but that
   * they cost what they cost without.
   */
  async of(
    table: TableMeta,
    columns: readonly ValueColumn[],
    seq: number,
    waits = true,
  ): Promise<ReadonlyMap<string, KnownValues>> {
    const known = this.#of(table)
    const reading = this.#advance(known, columns, seq)
    if (reading?.isLong === true && waits) await waitFor(reading)
    if (reading?.isLong === false) await atMost(waits ? littleWaitMs : shortWaitMs, reading.done)
    return this.#held(known, columns, seq)
  }

  /** What `of` answers without waiting. What is not known is read in the background. */
  now(table: TableMeta, columns: readonly ValueColumn[], seq: number): ReadonlyMap<string, KnownValues> {
    const known = this.#of(table)
    this.#advance(known, columns, seq)
    return this.#held(known, columns, seq)
  }

  #held(known: TableValues, columns: readonly ValueColumn[], seq: number): ReadonlyMap<string, KnownValues> {
    if (known.restores !== this.#contents.restores(known.table.id)) return new Map()
    return new Map(
      columns.flatMap(({ name }) => {
        const found = known.columns.get(name)
        return found && !isBehind(found, seq) ? [[name, found.values] as const] : []
      }),
    )
  }

  /**
   * Reads, in the background, what came since columns were read, where it is more than a search should wait for, and what is much and was never read; keeps what is known where
   * that is much. Tables without an index are forgotten; `seqOf` is the number of a table's snapshot.
   */
  async keepUp(catalogue: Pick<Catalogue, 'indices' | 'table'>, seqOf: (table: number) => number): Promise<void> {
    const there = tablesOf(catalogue.indices())
    for (const id of this.#tables.keys()) if (!there.has(id)) this.#tables.delete(id)
    for (const id of there) {
      const known = this.#tables.get(id)
      if (known?.restores === this.#contents.restores(id) && !known.reading) this.#keepUp(known, seqOf(id))
      if ((known?.largeFromSeq ?? this.#unaskedRows) <= seqOf(id))
        await this.#readUnasked(catalogue.table(id), seqOf(id))
    }
    await this.#keep(there, keptRows)
  }

  /** Reads a table of many rows, of which no search has asked for values. */
  async #readUnasked(table: TableMeta, seq: number): Promise<void> {
    const known = this.#of(table)
    const columns = table.columns.filter(isDecidedByValues).flatMap(valueColumns)
    if (known.reading || known.columns.size > 0 || columns.length > unaskedColumnsMax) return
    known.largeFromSeq = seq + Math.max(0, this.#unaskedRows - (await this.#rowsOf(table)))
    if (known.largeFromSeq === seq) this.#advance(known, columns, seq)
  }

  /** Keeps what is known for the next start. A full disk does not keep search from ending: then it is read again. */
  async close({
    catalogue,
    logger,
  }: {
    readonly catalogue: Pick<Catalogue, 'indices'>
    readonly logger: Logger
  }): Promise<void> {
    try {
      await this.#keep(tablesOf(catalogue.indices()), 1)
    } catch (error) {
      logger.warn({ error }, 'the values of columns could not be kept')
    }
  }

  async #keep(there: ReadonlySet<number>, rowsMin: number): Promise<void> {
    const known = [...this.#tables].map(([id, { columns }]) => [id, columns] as const)
    await this.#kept.keep(known, there, rowsMin)
  }

  #keepUp(known: TableValues, seq: number): void {
    const { table, columns } = known
    const companions = new Set(table.columns.map(({ manyName }) => manyName))
    const behind = [...columns].flatMap(([name, { values, seq: read }]) =>
      values === 'many' || seq - read < littleRows / 2 ? [] : [{ name, isArray: companions.has(name) }],
    )
    if (behind.length > 0) this.#advance(known, behind, seq)
  }

  #of(table: TableMeta): TableValues {
    const restores = this.#contents.restores(table.id)
    const known = this.#tables.get(table.id)
    if (known?.restores === restores) {
      known.table = table
      return known
    }
    const columns = this.#kept.of(table.id)
    const made = {
      table,
      restores,
      columns,
      smallUntilSeq: -1,
      largeFromSeq: this.#unaskedRows,
      failedUntilMs: 0,
      reading: undefined,
    }
    this.#tables.set(table.id, made)
    return made
  }

  /** Reads those columns of which not all rows were read up to `seq`; what of it is being read already is not read twice. */
  #advance(known: TableValues, columns: readonly ValueColumn[], seq: number): Reading | undefined {
    const behind = columns.filter(({ name }) => isBehind(known.columns.get(name), seq))
    if (behind.length === 0 || performance.now() < known.failedUntilMs) return undefined
    const running = known.reading
    if (running?.isLong === true) return running
    if (running && running.seq >= seq && behind.every(({ name }) => running.names.has(name))) return running
    const isUnread = behind.some(({ name }) => !known.columns.has(name))
    if (isUnread && seq < known.smallUntilSeq) return undefined
    const since = Math.min(...behind.map(({ name }) => known.columns.get(name)?.seq ?? -1))
    const isLong = isUnread || seq - since > littleRows
    let begin = (): void => undefined
    const begun = new Promise<void>((resolve) => {
      begin = () => {
        reading.beganAtMs = performance.now()
        resolve()
      }
    })
    const done = (isLong ? this.#last : Promise.resolve())
      .then(async () => {
        if (isUnread && !(await this.#sample(known, behind, { seq, begin }))) return
        begin()
        await this.#readRows(known, behind, { seq, weight: isLong ? 'heavy' : 'light' })
      })
      .catch(() => {
        known.failedUntilMs = performance.now() + failedMs
      })
      .finally(() => {
        if (known.reading === reading) known.reading = undefined
      })
    const names = new Set(behind.map(({ name }) => name))
    const reading: Reading = { seq, names, isLong, done, begun, beganAtMs: undefined }
    known.reading = reading
    if (isLong) this.#last = done
    return reading
  }

  async #rowsOf({ name }: TableMeta): Promise<number> {
    // One for all tables: searches must not find their queue full of these.
    const options = { weight: 'heavy', owner: this } as const
    const [[rows] = []] = await this.#engine.rows(sql`SELECT count() FROM ${ident(name)}`, options)
    return Number(rows)
  }

  /** Finds the columns that have too many values in a few rows already; false where the table is small. */
  async #sample(
    known: TableValues,
    columns: readonly ValueColumn[],
    { seq, begin }: { readonly seq: number; readonly begin: () => void },
  ): Promise<boolean> {
    const rows = await this.#rowsOf(known.table)
    begin()
    if (rows < this.rowsMin) {
      known.smallUntilSeq = seq + this.rowsMin
      return false
    }
    const unread = columns.filter(({ name }) => !known.columns.has(name))
    const background = { weight: 'heavy', owner: this } as const
    const sample = { table: known.table.name, first: sampleRows }
    for await (const [{ name }, values] of differentValues(this.#engine, sample, unread, background))
      known.columns.set(name, { seq: -1, values: fewOf(values) })
    return true
  }

  async #readRows(
    known: TableValues,
    columns: readonly ValueColumn[],
    { seq, weight }: { readonly seq: number; readonly weight: 'light' | 'heavy' },
  ): Promise<void> {
    for (;;) {
      const behind = columns.filter(({ name }) => known.columns.has(name) && isBehind(known.columns.get(name), seq))
      if (behind.length === 0 || this.#tables.get(known.table.id) !== known) break
      const since = Math.min(...behind.map(({ name }) => known.columns.get(name)?.seq ?? -1))
      const to = Math.min(since + this.#rowsAtOnce, seq)
      const rows = { table: known.table.name, since, to: to < seq ? to : undefined }
      for await (const [{ name }, came] of differentValues(this.#engine, rows, behind, { weight, owner: this }))
        note(known.columns, name, { since, to, came })
    }
    this.#keepLetters()
  }

  #keepLetters(): void {
    const kept: {
      readonly columns: Map<string, Known>
      readonly name: string
      readonly seq: number
      letters: number
    }[] = []
    let letters = 0
    for (const { columns } of this.#tables.values())
      for (const [name, { seq, values }] of columns) {
        if (values === 'many') continue
        kept.push({ columns, name, seq, letters: values.letters })
        letters += values.letters
      }
    if (letters <= lettersMax) return
    for (const most of kept.sort((a, b) => b.letters - a.letters)) {
      if (letters <= lettersMax) return
      most.columns.set(most.name, { seq: most.seq, values: 'many' })
      letters -= most.letters
    }
  }
}

function tablesOf(indices: Iterable<Pick<IndexMeta, 'table'>>): ReadonlySet<number> {
  const tables = new Set<number>()
  for (const { table } of indices) tables.add(table)
  return tables
}

/** Adds the values of the rows numbered from above `since` up to `to`, unless others that lie before them are missing. */
function note(
  columns: Map<string, Known>,
  name: string,
  { since, to, came }: { readonly since: number; readonly to: number; readonly came: ReadonlySet<string> },
): void {
  const before = columns.get(name)
  if (!before || before.values === 'many' || before.seq < since || before.seq >= to) return
  const { values } = before
  const more = [...came].filter((value) => !values.values.has(value))
  columns.set(name, { seq: to, values: more.length === 0 ? values : values.with(more) })
}

function isBehind(known: Known | undefined, seq: number): boolean {
  return known === undefined || (known.values !== 'many' && known.seq < seq)
}

async function waitFor(reading: Reading): Promise<void> {
  await atMost(shortWaitMs, reading.begun)
  if (reading.beganAtMs !== undefined) await atMost(reading.beganAtMs + longWaitMs - performance.now(), reading.done)
}

function atMost(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms)
    void work.then(() => {
      clearTimeout(timer)
      done()
    })
  })
}

const known = new WeakMap<object, ColumnValues>()

/** The values of columns in a running store of documents; options count where it is asked for the first time. */
export function columnValues(
  {
    engine,
    documents,
  }: {
    readonly engine: Pick<Engine, 'rows'>
    readonly documents: ValueSources
  },
  options: ColumnValuesOptions = {},
): ColumnValues {
  const found = known.get(documents) ?? new ColumnValues(engine, documents, options)
  known.set(documents, found)
  return found
}
