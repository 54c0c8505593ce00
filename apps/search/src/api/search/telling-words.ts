import type { MoreLikeThis } from '../../dsl/more-like-this.ts'
import { searchable } from '../../dsl/shapes/field-value.ts'
import { fieldOf } from '../../dsl/shapes/reporting.ts'
import { columnWord } from '../../dsl/shapes/words.ts'
import type { ResolvedIndex } from '../../indices/resolve.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import type { Scope } from '../../model/scope.ts'
import { documentsHolding, sampledDocuments } from '../../plan/leaves/held-words.ts'
import type { Leaf } from '../../plan/leaves/leaves.ts'
import { prepareLeaves } from '../../plan/prepare-leaves.ts'
import { shown } from '../../plan/shown.ts'
import type { Services } from '../../services.ts'
import { hasTerms } from './term-vectors.ts'

/** How often each word is there. */
export type Frequencies = ReadonlyMap<string, number>

/** A word in a field, and how telling it is: its frequency times how rare documents with it are. */
export interface Telling {
  readonly field: string
  readonly word: string
  readonly score: number
}

type Bounds = Pick<MoreLikeThis, 'min_term_freq' | 'min_doc_freq' | 'max_doc_freq' | 'max_query_terms'>

/** Different words of one list that are looked for at most, the most frequent first. */
const wordsMax = 5_000

/** Finds which words are rare in an index, by its newest documents that the caller may see. */
export class RareWords {
  readonly #reading: { readonly services: Services; readonly scope: Scope; readonly signal: AbortSignal | undefined }
  readonly #resolved: ResolvedIndex
  readonly #bounds: Bounds
  #sample: Promise<{ readonly leaf: Leaf; readonly documents: number } | undefined> | undefined

  constructor(
    reading: { readonly services: Services; readonly scope: Scope; readonly signal: AbortSignal | undefined },
    resolved: ResolvedIndex,
    bounds: Bounds,
  ) {
    this.#reading = reading
    this.#resolved = resolved
    this.#bounds = bounds
  }

  /** The most telling words within the bounds, the most telling first, each in the one of the fields that most documents have it in. */
  async telling(fields: readonly ResolvedField[], words: Frequencies): Promise<readonly Telling[]> {
    const { min_term_freq: least, min_doc_freq: fewest, max_doc_freq: most, max_query_terms: count } = this.#bounds
    const frequent = [...words].filter(([, times]) => times >= least)
    const looked = frequent.sort(([, a], [, b]) => b - a).slice(0, wordsMax)
    const sample = looked.length === 0 ? undefined : await this.#sampled()
    if (!sample) return []
    const held = await this.#held(fields, looked, sample.leaf)
    const found = looked.flatMap(([word, times]): Telling[] => {
      const { field, documents } = held.get(word) ?? { field: '', documents: 0 }
      if (documents === 0 || documents < fewest || documents > most) return []
      return [{ field, word, score: times * (Math.log((sample.documents + 1) / (documents + 1)) + 1) }]
    })
    return found.sort((a, b) => b.score - a.score).slice(0, count)
  }

  async #held(fields: readonly ResolvedField[], words: readonly (readonly [string, number])[], leaf: Leaf) {
    const best = new Map<string, { readonly field: string; readonly documents: number }>()
    for (const field of fields.filter(hasTerms)) {
      const written = new Map(words.map(([word]) => [columnWord(field, word), word]))
      const { services, signal } = this.#reading
      const read = signal === undefined ? {} : { signal }
      const counts = await documentsHolding(services, leaf, fieldOf(searchable(field)), [...written.keys()], read)
      for (const [column, documents] of counts) {
        const word = written.get(column) ?? column
        if (documents > (best.get(word)?.documents ?? 0)) best.set(word, { field: field.path, documents })
      }
    }
    return best
  }

  #sampled() {
    this.#sample ??= this.#readSample()
    return this.#sample
  }

  async #readSample() {
    const { services, scope, signal } = this.#reading
    const indices = [{ index: this.#resolved.index, aliasFilters: [] }]
    await shown(services, indices)
    const read = signal === undefined ? {} : { signal }
    const [leaf] = await prepareLeaves(services, { indices, scope, query: undefined, nowMs: services.now() }, read)
    return leaf && { leaf, documents: await sampledDocuments(services, leaf, read) }
  }
}
