import type { DocumentFold } from '../../dsl/define-aggregation.ts'
import type { Turns } from '../../painless/turns.ts'
import { join, num, sql } from '../../sql/sql.ts'
import type { Leaf } from '../leaves/leaves.ts'
import {
  type ScriptedPage,
  type ScriptedRow,
  scriptedDocumentsMax,
  scriptedPageRows,
  tooManyScripted,
} from '../scripts/scripted-documents.ts'
import type { ScoredLeaf } from './row-source.ts'

/** A bucket whose metric is made of whole documents. */
export interface BucketFold {
  readonly leaves: readonly ScoredLeaf[]
  /** Where the documents are: the number of their leaf and their sequence number. */
  readonly places: unknown
  readonly fold: DocumentFold
}

/** Reads the first page of documents of a leaf. */
export type ReadPage = (leaf: Leaf, page: ScriptedPage) => Promise<Iterable<ScriptedRow>>

/**
 * Gives every bucket its documents in their order of arrival; each document is read once, whatever the number of its buckets. Throws
 * `illegal_argument_exception` when there are too many documents, or when their scripts take too long.
 */
export async function foldDocuments(buckets: readonly BucketFold[], readPage: ReadPage, turns: Turns): Promise<void> {
  for (const [leaf, folds] of byLeaf(buckets)) {
    const wanted = [...folds.keys()].sort((a, b) => a - b)
    for (let at = 0; at < wanted.length; at += scriptedPageRows) {
      const sequences = wanted.slice(at, at + scriptedPageRows)
      const condition = sql`_seq IN (${join(sequences.map(num), ', ')})`
      const page = { condition, ...(leaf.scored === undefined ? {} : { score: leaf.scored }) }
      for (const { sequence, document, reader } of await readPage(leaf, page)) {
        const input = reader.input(document)
        for (const fold of folds.get(Number(sequence)) ?? []) {
          if (turns.isDue) await turns.rest()
          turns.run(() => fold.add(input))
        }
      }
    }
  }
}

function byLeaf(buckets: readonly BucketFold[]): Map<ScoredLeaf, Map<number, DocumentFold[]>> {
  const found = new Map<ScoredLeaf, Map<number, DocumentFold[]>>()
  let runs = 0
  for (const { leaves, places, fold } of buckets)
    for (const place of Array.isArray(places) ? places : []) {
      const [number, sequence] = Array.isArray(place) ? place.map(Number) : []
      const leaf = leaves[number ?? 0]
      if (!leaf || sequence === undefined) throw new Error('BUG: a document without a place')
      runs += 1
      if (runs > scriptedDocumentsMax) throw tooManyScripted()
      const folds = found.get(leaf) ?? new Map<number, DocumentFold[]>()
      found.set(leaf, folds)
      const known = folds.get(sequence)
      if (known) known.push(fold)
      else folds.set(sequence, [fold])
    }
  return found
}
