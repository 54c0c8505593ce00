import type { Engine } from '../engine/engine.ts'
import type { TableMeta } from '../indices/model.ts'
import { ident, join, num, type Sql, sql } from '../sql/sql.ts'
import type { TableContents } from './table-contents.ts'
import { fewOf, type KnownValues, valueBytesMax, valuesMax } from './value-set.ts'

/** A column of texts; of an array companion each value counts by itself. */
export interface ValueColumn {
  readonly name: string
  readonly isArray: boolean
}

/** Letters of all columns together; of more the columns with most are not kept. */
const lettersMax = 8 * 1024 ** 2
/** After a failure a table is not read again for so long. */
const failedMs = 5 * 60_000
/** So long searches wait until columns were read for the first time, counted from its beginning: they would take about as long themselves. */
const waitMs = 10_000
/** So long they wait for it to begin, and searches with a limit of their own for what came since; others have longer for the latter. */
const shortWaitMs = 250
const sinceWaitMs = 2_000
/** Columns that are read by one statement, and rows that tell at once which of them have too many values. */
const readAtOnce = 32
const sampleRows = 65_536

/** Of which tables values are read; the tests ask for every one. */
export interface ColumnValuesOptions {
  /** Tables of fewer rows are searched in no time. */
  readonly rowsMin?: number
}

interface Known {
  /** All rows numbered up to it were read. */
  readonly seq: number
  readonly values: KnownValues
}

/** Columns that are being read for the first time. */
interface Reading {
  readonly done: Promise<void>
  /** Resolves when the engine has begun with it. */
  readonly begun: Promise<void>
  beganAtMs: number | undefined
}

interface TableValues {
  readonly restores: number
  readonly columns: Map<string, Known>
  /** The number up to which the table is not read: it had few rows, or could not be read. */
  idle: { readonly seq: number; readonly untilMs: number } | undefined
  reading: Reading | undefined
  catchingUp: { readonly seq: number; readonly names: string; readonly done: Promise<void> } | undefined
}

/**
 * The values of columns that have few different ones (names of hosts, levels, kinds of events), read from the engine once a start and kept up with what is written since
 * whenever they are asked for: conditions on them can be decided without a look at the rows. Values of rows that are gone stay; a column that has too many different
 * ones is not read again.
 */
export class ColumnValues {
  readonly #engine: Pick<Engine, 'rows'>
  readonly #contents: Pick<TableContents, 'restores'>
  readonly #rowsMin: number
  readonly #tables = new Map<number, TableValues>()
  /** Tables are read one after the other. */
  #last: Promise<void> = Promise.resolve()

  constructor(
    engine: Pick<Engine, 'rows'>,
    contents: Pick<TableContents, 'restores'>,
    { rowsMin = 20_000 }: ColumnValuesOptions = {},
  ) {
    this.#engine = engine
    this.#contents = contents
    this.#rowsMin = rowsMin
  }

  /**
   * The values of columns by their names, of all rows up to `seq`, which must be the number of a snapshot: all of its rows are in the engine. Columns that were not read
   * yet are read in the background; who `waits` does so for ten seconds at most. Those that take longer, or cannot be read, are left out: searches notice nothing but that
   * they cost what they cost without.
   */
  async of(
    table: TableMeta,
    columns: readonly ValueColumn[],
    seq: number,
    waits = true,
  ): Promise<ReadonlyMap<string, KnownValues>> {
    const known = this.#of(table.id)
    if (columns.some(({ name }) => !known.columns.has(name))) {
      const reading = this.#read(table, known, columns, seq)
      if (reading && waits) await waitFor(reading)
    }
    const held = columns.filter(({ name }) => known.columns.has(name))
    const behind = held.filter(({ name }) => isBehind(known.columns.get(name), seq))
    if (behind.length > 0) await atMost(waits ? sinceWaitMs : shortWaitMs, this.#catchUp(table, known, behind, seq))
    if (known.restores !== this.#contents.restores(table.id)) return new Map()
    return new Map(
      held.flatMap(({ name }) => {
        const found = known.columns.get(name)
        return found && !isBehind(found, seq) ? [[name, found.values] as const] : []
      }),
    )
  }

  #of(table: number): TableValues {
    const restores = this.#contents.restores(table)
    const known = this.#tables.get(table)
    if (known?.restores === restores) return known
    const made = { restores, columns: new Map(), idle: undefined, reading: undefined, catchingUp: undefined }
    this.#tables.set(table, made)
    return made
  }

  /** Reads columns from the first row on, in the background. */
  #read(table: TableMeta, known: TableValues, columns: readonly ValueColumn[], seq: number): Reading | undefined {
    if (known.reading) return known.reading
    if (known.idle && seq < known.idle.seq && Date.now() < known.idle.untilMs) return undefined
    let begin = (): void => undefined
    const begun = new Promise<void>((resolve) => {
      begin = () => {
        reading.beganAtMs = Date.now()
        resolve()
      }
    })
    const done = this.#last
      .then(() => this.#readAll(table, known, columns, { seq, begin }))
      .catch(() => {
        known.idle = { seq: Number.POSITIVE_INFINITY, untilMs: Date.now() + failedMs }
      })
      .finally(() => {
        known.reading = undefined
      })
    const reading: Reading = { done, begun, beganAtMs: undefined }
    known.reading = reading
    this.#last = done
    return reading
  }

  async #readAll(
    table: TableMeta,
    known: TableValues,
    columns: readonly ValueColumn[],
    { seq, begin }: { readonly seq: number; readonly begin: () => void },
  ): Promise<void> {
    const from = ident(table.name)
    const [[rows = 0] = []] = await this.#engine.rows(sql`SELECT count() FROM ${from}`, { weight: 'heavy' })
    begin()
    if (Number(rows) < this.#rowsMin) {
      known.idle = { seq: seq + this.#rowsMin, untilMs: Number.POSITIVE_INFINITY }
      return
    }
    const unread = columns.filter(({ name }) => !known.columns.has(name))
    for (let at = 0; at < unread.length; at += readAtOnce) {
      const some = unread.slice(at, at + readAtOnce)
      const names = some.map(({ name }) => ident(name))
      const sample = sql`(SELECT ${join(names, ', ')} FROM ${from} LIMIT ${num(sampleRows)})`
      const few: ValueColumn[] = []
      for (const [column, values] of await this.#valuesIn(sample, some)) {
        if (values === 'many') known.columns.set(column.name, { seq, values })
        else few.push(column)
      }
      if (few.length === 0) continue
      for (const [{ name }, values] of await this.#valuesIn(from, few)) known.columns.set(name, { seq, values })
    }
    this.#keepLetters()
  }

  async #valuesIn(from: Sql, columns: readonly ValueColumn[]): Promise<(readonly [ValueColumn, KnownValues])[]> {
    const statement = sql`SELECT ${join(columns.map(differentSql), ', ')} FROM ${from}`
    const [row = []] = await this.#engine.rows(statement, { weight: 'heavy' })
    return columns.map((column, at) => [column, fewOf(new Set(textsOf(row[at])))])
  }

  /** Reads what came since; searches at the same moment wait for one statement. What cannot be read so is read from the first row on. */
  async #catchUp(table: TableMeta, known: TableValues, behind: readonly ValueColumn[], seq: number): Promise<void> {
    const names = behind.map(({ name }) => name).join(' ')
    const running = known.catchingUp
    if (running && running.seq >= seq && running.names === names) return running.done
    const done = this.#readSince(table, known, behind, seq)
      .catch(() => {
        for (const { name } of behind) known.columns.delete(name)
      })
      .finally(() => {
        if (known.catchingUp?.done === done) known.catchingUp = undefined
      })
    known.catchingUp = { seq, names, done }
    return done
  }

  async #readSince(table: TableMeta, known: TableValues, behind: readonly ValueColumn[], seq: number): Promise<void> {
    const since = Math.min(...behind.map(({ name }) => known.columns.get(name)?.seq ?? 0))
    const statement = sql`SELECT ${join(behind.map(differentSql), ', ')} FROM ${ident(table.name)} WHERE _seq > ${num(since)}`
    const [row = []] = await this.#engine.rows(statement, { weight: 'light' })
    for (const [at, { name }] of behind.entries()) {
      const before = known.columns.get(name)
      if (!before || before.seq >= seq || before.values === 'many') continue
      const { values } = before
      const came = textsOf(row[at]).filter((value) => !values.values.has(value))
      known.columns.set(name, { seq, values: came.length === 0 ? values : values.with(came) })
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

function isBehind(known: Known | undefined, seq: number): boolean {
  return known !== undefined && known.values !== 'many' && known.seq < seq
}

/** The different values of a column, up to one more than are kept. */
function differentSql({ name, isArray }: ValueColumn): Sql {
  const limit = num(valuesMax + 1)
  if (isArray) return sql`groupUniqArrayArray(${limit})(arrayMap(x -> ${cut(sql`x`)}, ${ident(name)}))`
  return sql`groupUniqArray(${limit})(${cut(ident(name))})`
}

function textsOf(cell: unknown): string[] {
  return Array.isArray(cell) ? cell.map(String) : []
}

async function waitFor(reading: Reading): Promise<void> {
  await atMost(shortWaitMs, reading.begun)
  if (reading.beganAtMs !== undefined) await atMost(reading.beganAtMs + waitMs - Date.now(), reading.done)
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

/** A value, and of a long one as much as tells that it is. */
function cut(value: Sql): Sql {
  return sql`substring(${value}, 1, ${num(valueBytesMax + 1)})`
}

const known = new WeakMap<object, ColumnValues>()

/** The values of columns in a running store of documents; options count where it is asked for the first time. */
export function columnValues(
  {
    engine,
    documents,
  }: {
    readonly engine: Pick<Engine, 'rows'>
    readonly documents: { readonly contents: Pick<TableContents, 'restores'> }
  },
  options: ColumnValuesOptions = {},
): ColumnValues {
  const found = known.get(documents) ?? new ColumnValues(engine, documents.contents, options)
  known.set(documents, found)
  return found
}
