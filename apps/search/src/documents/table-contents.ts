import type { Engine } from '../engine/engine.ts'
import type { Catalogue } from '../indices/catalogue.ts'
import type { IndexMeta } from '../model/index-meta.ts'
import type { TableMeta } from '../model/table.ts'
import { ident, sql } from '../sql/sql.ts'
import type { DurableCommit } from './commit-applier.ts'
import { type Bounds, TableBounds } from './table-bounds.ts'

/** Which indices have rows in a table, or had some. */
interface Holders {
  readonly indices: Set<number>
  /** Of which rows came since the engine was last asked. */
  came: Set<number>
  /** False until the engine was asked. */
  isKnown: boolean
  askedMs: number
}

/** What is known of indices elsewhere. */
export interface TableContentsOptions {
  readonly engine: Pick<Engine, 'rows'>
  readonly catalogue: Pick<Catalogue, 'indexById'>
  /** Milliseconds that only go on. */
  readonly now: () => number
  /** Whether rows of an index are on their way to the engine. */
  isPending(index: number): boolean
}

/** As long an answer of the engine is not asked for again, though it names indices that are gone. */
const askedAgainMs = 5 * 60_000

/**
 * What the engine may hold of each table, said from above: rows that were handed to it since the start, and the indices they are of. Reads of all
 * rows that are there need not compare each with their snapshot and their indices, which costs more than all else in a light statement (ADR 0007).
 */
export class TableContents {
  readonly #options: TableContentsOptions
  readonly #highest = new Map<number, number>()
  readonly #holders = new Map<number, Holders>()
  /** Indices whose rows come without commits, at any time until they are shown. */
  readonly #restored = new Set<number>()
  readonly #tablesOfRestored = new Set<number>()
  readonly #shown = new Map<number, number>()
  readonly #bounds: TableBounds

  constructor(options: TableContentsOptions) {
    this.#options = options
    this.#bounds = new TableBounds(options.engine, options.now)
  }

  /** To be told before rows of commits go to the engine. */
  inserting(commits: readonly Pick<DurableCommit, 'record' | 'nextSeqNos'>[]): void {
    for (const { record, nextSeqNos } of commits)
      for (const { tableId, firstSeq, lastSeq, newestMs } of record.segments) {
        this.#raise(tableId, lastSeq)
        this.#bounds.comes(tableId, { newestMs, firstSeq })
        for (const index of nextSeqNos.keys())
          if ((this.#tableOf(index) ?? tableId) === tableId) this.#comes(tableId, index)
      }
  }

  /** To be told before rows of an index that is restored, numbered up to `seq`, go to the engine. */
  restoring({ id, table }: Pick<IndexMeta, 'id' | 'table'>, seq: number): void {
    this.#raise(table, seq)
    this.#bounds.comes(table, { newestMs: undefined, firstSeq: 0 })
    this.#restored.add(id)
    this.#tablesOfRestored.add(table)
    this.#comes(table, id)
  }

  /** To be told before restored rows of a table are shown. */
  restored(table: number): void {
    this.#shown.set(table, this.restores(table) + 1)
  }

  /**
   * How often rows of a table were shown that are numbered below what was shown before, since the start: what is known of all rows up to a number says
   * nothing about these.
   */
  restores(table: number): number {
    return this.#shown.get(table) ?? 0
  }

  /** Whether numbers of a table were reserved since the start, for rows that come after others with higher ones. */
  hadRestores(table: number): boolean {
    return this.#tablesOfRestored.has(table)
  }

  /** Between what all rows of a table lie; undefined while that is not known. */
  bounds(table: TableMeta): Bounds | undefined {
    return this.#bounds.of(table)
  }

  #raise(table: number, seq: number): void {
    this.#highest.set(table, Math.max(seq, this.#highest.get(table) ?? 0))
  }

  /**
   * Whether the engine was given no row above `seq`, the number of a snapshot: what was there at the start lies below all of them. What was read while it answers so
   * again afterwards was read of the snapshot's rows, whether or not the statement compared them with it.
   */
  holdsNothingAbove(table: number, seq: number): boolean {
    return (this.#highest.get(table) ?? 0) <= seq
  }

  /** Whether all rows are of these indices. False, too, while that is not known: then the engine is asked in the background. */
  holdsOnly(table: TableMeta, indices: readonly number[]): boolean {
    const holders = this.#of(table.id)
    if (!holders.isKnown) this.#ask(table, holders)
    else if (holders.indices.size <= indices.length) {
      const named = new Set(indices)
      return [...holders.indices].every((index) => named.has(index))
    } else if ([...holders.indices].some((index) => this.#isGone(index))) this.#ask(table, holders)
    return false
  }

  #comes(table: number, index: number): void {
    const { indices, came } = this.#of(table)
    indices.add(index)
    came.add(index)
  }

  #of(table: number): Holders {
    const known = this.#holders.get(table) ?? {
      indices: new Set(),
      came: new Set(),
      isKnown: false,
      askedMs: Number.NEGATIVE_INFINITY,
    }
    this.#holders.set(table, known)
    return known
  }

  #tableOf(index: number): number | undefined {
    return this.#options.catalogue.indexById(index)?.table
  }

  /** Whether no row of an index comes any more that the engine does not have. */
  #isGone(index: number): boolean {
    return this.#tableOf(index) === undefined && !this.#options.isPending(index) && !this.#restored.has(index)
  }

  /** A failure is asked again later, and costs searches what they cost without. */
  #ask(table: TableMeta, old: Holders): void {
    const { engine, now } = this.#options
    if (now() - old.askedMs < askedAgainMs) return
    old.askedMs = now()
    // Rows of all others may come while the engine answers, or after it has; and of these, too, when the index was deleted while its write was made durable.
    const gone = new Set([...old.indices].filter((index) => this.#isGone(index)))
    old.came = new Set()
    const background = { weight: 'heavy', owner: this } as const
    engine.rows(sql`SELECT DISTINCT _index FROM ${ident(table.name)}`, background).then(
      (rows) => {
        const others = [...old.indices].filter((index) => !gone.has(index) || old.came.has(index))
        const indices = new Set([...others, ...rows.map(([index]) => Number(index))])
        this.#holders.set(table.id, { indices, came: new Set(), isKnown: true, askedMs: old.askedMs })
      },
      () => undefined,
    )
  }
}
