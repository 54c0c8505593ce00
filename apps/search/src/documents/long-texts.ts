import type { NeededColumn, TableMeta } from '../model/table.ts'
import type { TextVolume } from './staged-rows.ts'

/** What a text must hold on average and in all, since the start, to be worth a token index. */
const averageBytesMin = 64
const bytesMin = 1024 ** 2

/**
 * Finds the texts that are worth a token index (ADR 0002). Dynamic mapping makes a text of every string; a few of them are sentences, and an index
 * on each of the others costs an insert more than all else.
 */
export class LongTexts {
  readonly #seen = new Map<string, { values: number; bytes: number }>()

  /** Counts what rows of a table bring; returns the texts that need an index from now on. */
  note(table: TableMeta, texts: readonly TextVolume[]): NeededColumn[] {
    const indexed = new Set(
      table.columns.flatMap(({ path, type, indexed: has }) => (type === 'text' && has ? [path] : [])),
    )
    return texts.flatMap(({ path, values, bytes }): NeededColumn[] => {
      if (indexed.has(path)) return []
      const key = `${table.id} ${path}`
      const seen = this.#seen.get(key) ?? { values: 0, bytes: 0 }
      seen.values += values
      seen.bytes += bytes
      this.#seen.set(key, seen)
      if (seen.bytes < bytesMin || seen.bytes < seen.values * averageBytesMin) return []
      this.#seen.delete(key)
      return [{ path, type: 'text', many: false, indexed: true }]
    })
  }
}
