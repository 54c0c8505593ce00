import { mkdirSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { AppError, searchErrors } from '@logstack/errors'
import { type ChdbResult, drainPending, Session } from 'chdb'
import { ident, join, nothing, num, type Sql, sql, str } from '../sql/sql.ts'
import type { Engine, FileInsert, ReadLimits, ReadOptions, Segment, SegmentColumn } from './engine.ts'
import { engineError } from './engine-error.ts'
import { Killer, tagOf } from './killer.ts'
import { createLane, type Lane } from './lane.ts'
import { mergePriority } from './merge-priority.ts'
import { parseRows } from './parse-rows.ts'

/** How many sessions of each sort the engine opens, and their limits. Every running statement holds one thread of Node's pool. */
export interface ChdbOptions {
  /** A directory of the engine's own; made when absent. One process at a time. */
  readonly directory: string
  readonly light?: ReaderClass
  readonly heavy?: ReaderClass
  /** The most that all statements together may hold; absent: nine tenths of the machine's memory. */
  readonly memoryBytesMax?: number
}

/** A class of reader sessions: how many, how many requests may wait for one, and what a single statement may use. */
export interface ReaderClass {
  readonly sessions: number
  /** Absent: a thousand. */
  readonly waitingMax?: number
  readonly limits: ReadLimits
}

/** Who waits costs next to nothing, and waits no longer than a statement may take: a dashboard of thirty panels that thirty people open at once is nine hundred requests. */
const waitingDefaultMax = 1_000

const lightDefault: ReaderClass = {
  sessions: 4,
  limits: { timeMsMax: 30_000, memoryBytesMax: 1024 ** 3 },
}
const heavyDefault: ReaderClass = {
  sessions: 2,
  limits: { timeMsMax: 60_000, memoryBytesMax: 2 * 1024 ** 3 },
}

/** Threads that the engine keeps for the next statement. It would keep every one it ever needed at once, with three open files each. */
const idleThreadsMax = 16

/** The database that holds all tables; the current one of every session, so that statements need not name it. */
const databaseName = 'logstack'

/**
 * Groups beyond this part of a statement's memory are written to files of the engine's `tmp` folder and put together from there: an aggregation of millions of ids is slow
 * then instead of refused. Each thread of it makes room for twice what it holds, so much less than half must be there when it begins.
 */
const groupsInMemory = 1 / 3
/** Those files of one statement hold at most so many times its memory. */
const groupsOnDisk = 4

const statementBytesMax = 64 * 1024 ** 2
const expressionsMax = 1_000_000
const writerMemoryBytesMax = 4 * 1024 ** 3
const writersWaitingMax = 10_000
const deletedAtOnceMax = 20_000
const indexedRowsMin = 2_000
/**
 * How often the engine compares what it counts as its memory with what the system says. It would every 50 ms, for a seventh of a second of a processor each minute; its limits go by
 * what it counts, at once.
 */
const memoryLookMs = 500

/**
 * Settings of every session; they bound parsing, and make JSON output exact and short. A filter that grows while the first rows of an order are
 * looked for would run before the token index is asked, so that every text is cut into words: 570 instead of 20 ms of a processor. Statements read files themselves:
 * by the engine's pool of readers, what the kernel does not have in memory took up to twice as long (ADR 0007). What is made of the rows of many tables is
 * made of all of them, and not planned once for each. Expressions are not compiled to machine code: what had run three times was, for seconds of a processor where there were
 * hundreds of them, and was no faster then.
 */
const sessionSettings = [
  `max_query_size=${statementBytesMax}`,
  `max_ast_elements=${expressionsMax}`,
  `max_expanded_ast_elements=${expressionsMax}`,
  // Each table of a statement takes several: at its default of 10,000 one over two thousand tables is refused.
  'query_plan_max_optimizations_to_apply=0',
  'output_format_json_quote_64bit_integers=0',
  'output_format_json_escape_forward_slashes=0',
  'use_top_k_dynamic_filtering=0',
  'query_plan_lift_up_union=0',
  'compile_expressions=0',
  'compile_aggregate_expressions=0',
  'compile_sort_description=0',
  "local_filesystem_read_method='pread'",
].join(', ')

// One block a segment, so that an insert into one partition makes exactly one part: all of it or nothing is there.
const writerSettings = [
  `max_memory_usage=${writerMemoryBytesMax}`,
  'max_insert_threads=1',
  'max_threads=2',
  'min_insert_block_size_rows=100000000',
  'min_insert_block_size_bytes=0',
  'max_insert_block_size=100000000',
  "lightweight_delete_mode='lightweight_update_force'",
  'mutations_sync=1',
].join(', ')

interface Reader {
  session: Session
  limits: ReadLimits
}

/**
 * Readers cannot write, read files or change settings (`readonly=1`), but the engine would still let them write a file with INTO OUTFILE.
 * No statement of search has those words outside a literal.
 */
function refuseOutfile(text: string): void {
  if (!/outfile/i.test(text)) return
  const outside = text.replace(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/gs, "''")
  if (/outfile/i.test(outside)) throw new AppError(searchErrors.engine_query_failed, 'a read must not write files')
}

function structureOf(columns: readonly SegmentColumn[]): Sql {
  return str(columns.map(({ name, type }) => `${ident(name).text} ${type}`).join(', '))
}

function insertStatement(segment: Segment): Sql {
  // The engine reads these characters of a path as a pattern over files.
  if (/[*?{}]/.test(segment.directory)) throw new Error('BUG: a segment lies under a path with pattern characters')
  if (segment.files.some((name) => /[*?{},/]/.test(name))) throw new Error('BUG: the name of a segment is a pattern')
  const [first = '', ...others] = segment.files
  const file = joinPath(segment.directory, others.length === 0 ? first : `{${segment.files.join(',')}}`)
  const names = join(
    segment.columns.map(({ name }) => ident(name)),
    ', ',
  )
  // A text index has a fixed cost that one row pays as well as a thousand. Small parts are read without it, and get it when they are merged.
  const isLater = segment.isIndexedLater === true || segment.rows < indexedRowsMin
  const indexes = isLater ? sql`, materialize_skip_indexes_on_insert = 0` : nothing
  // The older analyzer thinks less about a statement that only copies columns, which small segments feel (ADR 0002).
  return sql`INSERT INTO ${ident(segment.table)} (${names}) SETTINGS enable_analyzer = 0${indexes} SELECT ${names} FROM file(${str(file)}, ${str(segment.format)}, ${structureOf(segment.columns)})`
}

function fileStatement({ table, file, columns, values, rows }: FileInsert): Sql {
  if (/[*?{},]/.test(file)) throw new Error('BUG: a file of rows lies under a path with pattern characters')
  const names = values.map(([name]) => ident(name))
  const selected = values.map(([, value]) => value)
  const indexes = rows < indexedRowsMin ? sql`SETTINGS materialize_skip_indexes_on_insert = 0` : nothing
  return sql`INSERT INTO ${ident(table)} (${join(names, ', ')}) ${indexes} SELECT ${join(selected, ', ')} FROM file(${str(file)}, 'Native', ${structureOf(columns)}, 'gzip')`
}

function boundsOf({ timeMsMax, memoryBytesMax }: ReadLimits): string {
  return [
    `max_execution_time=${timeMsMax / 1000}`,
    `max_memory_usage=${memoryBytesMax}`,
    `max_bytes_before_external_group_by=${Math.ceil(memoryBytesMax * groupsInMemory)}`,
    `max_temporary_data_on_disk_size_for_query=${memoryBytesMax * groupsOnDisk}`,
  ].join(', ')
}

/** All sessions of one directory, so that each is closed once. */
class Sessions {
  readonly #directory: string
  readonly #open = new Set<Session>()

  constructor(directory: string, first: Session) {
    this.#directory = directory
    this.#open.add(first)
  }

  async #prepare(settings: readonly string[]): Promise<Session> {
    const session = new Session(this.#directory)
    this.#open.add(session)
    for (const statement of [`USE ${databaseName}`, ...settings.map((setting) => `SET ${setting}`)])
      await session.queryAsync(statement)
    return session
  }

  reader(limits: ReadLimits): Promise<Session> {
    return this.#prepare([sessionSettings, boundsOf(limits), 'readonly=1'])
  }

  writer(): Promise<Session> {
    return this.#prepare([sessionSettings, writerSettings])
  }

  close(session: Session): void {
    this.#open.delete(session)
    session.close()
  }

  async closeAll(): Promise<void> {
    await drainPending()
    for (const session of this.#open) session.close()
    await drainPending()
  }
}

/** The reader sessions of one class. */
class Readers {
  readonly lane: Lane<Reader>
  readonly #limits: ReadLimits
  readonly #sessions: Sessions
  readonly #killer: Killer
  readonly #name: string
  #statements = 0

  private constructor(name: string, of: ReaderClass, readers: readonly Reader[], sessions: Sessions, killer: Killer) {
    this.#name = name
    this.lane = createLane(name, readers, of.waitingMax ?? waitingDefaultMax)
    this.#limits = of.limits
    this.#sessions = sessions
    this.#killer = killer
  }

  static async open(name: string, of: ReaderClass, sessions: Sessions, killer: Killer): Promise<Readers> {
    const readers: Reader[] = []
    for (let at = 0; at < of.sessions; at += 1)
      readers.push({ session: await sessions.reader(of.limits), limits: of.limits })
    return new Readers(name, of, readers, sessions, killer)
  }

  /** Limits are fixed before a session becomes read-only: a statement with a memory limit of its own needs a session of its own. */
  async #sessionWith(reader: Reader, memoryBytesMax: number): Promise<Session> {
    if (reader.limits.memoryBytesMax === memoryBytesMax) return reader.session
    const limits = { ...this.#limits, memoryBytesMax }
    const session = await this.#sessions.reader(limits)
    this.#sessions.close(reader.session)
    reader.session = session
    reader.limits = limits
    return session
  }

  /**
   * Empties the session of a statement that failed: what it had written until then would come before the answer of the next one (chdb 3.4.0), whoever asks that. It
   * comes before the answer of an empty statement, which nobody reads; where that fails too the session is another one.
   */
  async #clear(reader: Reader): Promise<void> {
    try {
      await reader.session.queryAsync('SELECT 1', { format: 'Null' })
    } catch {
      const failed = reader.session
      reader.session = await this.#sessions.reader(reader.limits)
      this.#sessions.close(failed)
    }
  }

  read(query: Sql, format: string, given: ReadOptions): Promise<ChdbResult> {
    refuseOutfile(query.text)
    const timeMsMax = Math.min(given.limits?.timeMsMax ?? this.#limits.timeMsMax, this.#limits.timeMsMax)
    const memoryBytesMax = Math.min(
      given.limits?.memoryBytesMax ?? this.#limits.memoryBytesMax,
      this.#limits.memoryBytesMax,
    )
    this.#statements += 1
    const tag = tagOf(this.#name, this.#statements)
    let ended = false
    const work = async (reader: Reader): Promise<ChdbResult> => {
      try {
        const session = await this.#sessionWith(reader, memoryBytesMax)
        return await session.queryAsync(tag + query.text, { format })
      } catch (thrown) {
        ended = true
        await this.#clear(reader)
        throw this.#killer.ended(tag) ?? engineError(thrown)
      } finally {
        ended = true
        this.#killer.ended(tag)
      }
    }
    // A failed attempt changes nothing: the session's limits end the statement.
    const onAbandon = (): void => void this.#killer.kill(tag, () => ended).catch(() => undefined)
    // To make a session costs more than most statements: one for 64 MB, that a part's health is asked in each second, stays as it is.
    const fits = ({ limits }: Reader): boolean => limits.memoryBytesMax === memoryBytesMax
    const { signal, owner = signal } = given
    const ticket = { timeMsMax, onAbandon, fits, ...(signal ? { signal } : {}), ...(owner ? { owner } : {}) }
    return this.lane.run(work, ticket)
  }
}

/** Writer sessions of one sort: each runs one statement at a time. */
class Writer {
  readonly lane: Lane<Session>

  constructor(name: string, sessions: readonly Session[]) {
    this.lane = createLane(name, sessions, writersWaitingMax)
  }

  run(statement: Sql): Promise<void> {
    return this.lane.run(async (session) => {
      try {
        await session.queryAsync(statement.text)
      } catch (thrown) {
        throw engineError(thrown)
      }
    })
  }
}

function openFirst(options: ChdbOptions): Session {
  mkdirSync(options.directory, { recursive: true, mode: 0o700 })
  const memory = options.memoryBytesMax
  const limit = memory === undefined ? [] : [`--max_server_memory_usage=${memory}`]
  try {
    return new Session(options.directory, {
      connectionArgs: [
        `--memory_worker_period_ms=${memoryLookMs}`,
        `--max_thread_pool_free_size=${idleThreadsMax}`,
        ...limit,
      ],
    })
  } catch (thrown) {
    throw engineError(thrown)
  }
}

/**
 * The engine takes over what happens when this process must end (an `abort` of the runtime, such as one for lack of memory), and then writes down
 * the stacks of all threads for minutes, while nobody is answered. With a listener of Node's the signal is only noted, so that `abort` ends the
 * process at once and whoever looks after it starts the next one.
 */
function endAtOnceWhenAborted(): void {
  if (!process.listeners('SIGABRT').includes(abort)) process.on('SIGABRT', abort)
}

function abort(): void {
  process.abort()
}

/** Opens the engine in this process on a directory of its own, and makes its database. Throws `engine_query_failed` when it cannot. */
export async function createChdbEngine(options: ChdbOptions): Promise<Engine> {
  const first = openFirst(options)
  await first.queryAsync(`CREATE DATABASE IF NOT EXISTS ${databaseName}`)
  const sessions = new Sessions(options.directory, first)
  const cancel = createLane('cancel', [first], writersWaitingMax)
  const run = (statement: string): Promise<string> =>
    cancel.run(async (session) => (await session.queryAsync(statement, { format: 'TSVRaw' })).text())
  const killer = new Killer(run, joinPath(options.directory, 'tmp'))
  const readers = {
    light: await Readers.open('search', options.light ?? lightDefault, sessions, killer),
    heavy: await Readers.open('search_heavy', options.heavy ?? heavyDefault, sessions, killer),
  }
  const insert = new Writer('write', [await sessions.writer(), await sessions.writer()])
  // Changes of tables and deletions have a session of their own, so that inserts never wait behind them.
  const change = new Writer('management', [await sessions.writer()])
  const rewrite = new Writer('rewriting', [await sessions.writer()])
  const lanes = [readers.light.lane, readers.heavy.lane, insert.lane, change.lane, rewrite.lane, cancel]
  endAtOnceWhenAborted()
  const lowerMerges = mergePriority()
  lowerMerges()
  const read = (query: Sql, format: string, given: ReadOptions = {}): Promise<ChdbResult> =>
    readers[given.weight ?? 'light'].read(query, format, given)

  return {
    async rows(query, given) {
      return parseRows((await read(query, 'JSONCompactEachRow', given)).text())
    },
    async bytes(query, format, given) {
      const bytes = (await read(query, format, given)).bytes()
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    },
    async execute(statement, { slow } = {}) {
      await (slow === true ? rewrite : change).run(statement)
      lowerMerges()
    },
    insertSegment: (segment) => insert.run(insertStatement(segment)),
    insertFile: (file) => insert.run(fileStatement(file)),
    async deleteRows(table, partition, sequences) {
      for (let at = 0; at < sequences.length; at += deletedAtOnceMax) {
        const some = join(sequences.slice(at, at + deletedAtOnceMax).map(num), ', ')
        await change.run(
          sql`DELETE FROM ${ident(table)} IN PARTITION ${str(String(partition))} WHERE _seq IN (${some})`,
        )
      }
    },
    endSpilling: () => killer.endSpilling(),
    lanes: () => lanes.map((lane) => lane.figures()),
    async close() {
      for (const lane of lanes) await lane.close()
      await sessions.closeAll()
    },
  }
}
