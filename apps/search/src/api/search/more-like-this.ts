import { setImmediate } from 'node:timers/promises'
import { AppError } from '@logstack/errors'
import { analysisOf } from '../../analysis/analysis.ts'
import type { StoredDocument } from '../../documents/documents.ts'
import { type LikedDocument, type MoreLikeThis, withMoreLikeThis } from '../../dsl/more-like-this.ts'
import { minimumShouldMatch } from '../../dsl/shapes/minimum-should-match.ts'
import type { ResolvedIndex } from '../../indices/resolve.ts'
import { parseSource } from '../../json/source-json.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import type { Scope } from '../../model/scope.ts'
import { illegalArgument, queryShardError } from '../../refusals/refuse.ts'
import { permittedSource } from '../../security/visible-source.ts'
import type { Services } from '../../services.ts'
import { analyze } from '../../tokens/token.ts'
import { checkVersion, indexToRead, isRoutedTo, readDocuments } from '../resources/read-documents.ts'
import { onShards } from '../resources/shard-failure.ts'
import { analyzerOfField } from './analyze.ts'
import { type Frequencies, RareWords, type Telling } from './telling-words.ts'
import { vectorFields } from './term-vectors.ts'

/** Who searches where. */
interface Searching {
  readonly services: Services
  readonly scope: Scope
  readonly route: string
  readonly signal: AbortSignal | undefined
}

/**
 * A body of a search with queries for terms in place of every `more_like_this`, by the indices that are searched: each has documents of its own to be
 * like, and words that are rare in it. What cannot be made for an index is the failure of its shards.
 */
export function bodyWithLikes(
  searching: Searching,
  body: unknown,
  indicesOf: () => readonly ResolvedIndex[],
): Promise<unknown> {
  return withMoreLikeThis(body, (wanted) => {
    const indices = indicesOf()
    return onShards(indices, searching.services.catalogue.clusterUuid, () => queryOver(searching, wanted, indices))
  })
}

/** The same of one query, of which nothing is the failure of shards. */
export function queryWithLikes(
  searching: Searching,
  query: unknown,
  indices: readonly ResolvedIndex[],
): Promise<unknown> {
  return withMoreLikeThis(query, (wanted) => queryOver(searching, wanted, indices))
}

async function queryOver(searching: Searching, wanted: MoreLikeThis, indices: readonly ResolvedIndex[]) {
  const { boost, _name } = wanted
  const outer = { ...(boost === undefined ? {} : { boost }), ...(_name === undefined ? {} : { _name }) }
  const queries: object[] = []
  for (const resolved of indices) queries.push(await new Likes(searching, wanted, resolved).query())
  const [first = { match_none: {} }] = queries
  const alike = queries.every((query) => JSON.stringify(query) === JSON.stringify(first))
  if (alike) return { bool: { must: [first], ...outer } }
  const each = queries.map((query, at) => ({
    bool: { must: [query], filter: [{ term: { _index: indices[at]?.index.name } }] },
  }))
  return { bool: { should: each, ...outer } }
}

/** The query of one clause for one index. */
class Likes {
  readonly #searching: Searching
  readonly #wanted: MoreLikeThis
  readonly #index: IndexMeta
  readonly #rare: RareWords
  /** Words that count for nothing, by field. */
  readonly #skipped = new Map<string, Set<string>>()

  constructor(searching: Searching, wanted: MoreLikeThis, resolved: ResolvedIndex) {
    this.#searching = searching
    this.#wanted = wanted
    this.#index = resolved.index
    this.#rare = new RareWords(searching, resolved, wanted)
  }

  async query(): Promise<object> {
    const { like, unlike, fields: named, include } = this.#wanted
    const fields = this.#fields()
    if (fields?.length === 0) return { match_none: {} }
    if (fields === undefined && like.texts.length > 0) throw this.#shardError(noFieldToCut)
    for (const [field, counts] of await this.#ofTexts(fields, unlike.texts)) this.#skip(field, counts)
    // Documents to be unlike count only beside some to be like.
    if (like.documents.length > 0)
      for (const [field, counts] of await this.#ofDocuments(named && fields, unlike.documents))
        this.#skip(field, counts)
    const should = [
      await this.#termsOf([...(await this.#ofDocuments(named && fields, like.documents))].map(([f, c]) => [[f], c])),
      await this.#termsOf([...(await this.#ofTexts(fields, like.texts))].map(([, c]) => [fields ?? [], c])),
    ].filter((query) => query !== undefined)
    if (should.length === 0) return { match_none: {} }
    const ids = include ? [] : like.documents.flatMap(({ _id }) => (_id === undefined ? [] : [_id]))
    const without = ids.length === 0 ? {} : { must_not: [{ ids: { values: ids } }] }
    return { bool: { should, minimum_should_match: 1, ...without } }
  }

  /** The fields that are meant, under their own names; undefined: all. Throws for those that have no words, unless they are to be left out. */
  #fields(): readonly string[] | undefined {
    const standard = this.#index.settings['query.default_field']?.split(',') ?? ['*']
    const names = this.#wanted.fields ?? standard
    if (this.#wanted.fields === undefined && names.includes('*')) return undefined
    return names.flatMap((name) => {
      const field = this.#field(name)
      if (!field || field.wireType === 'text' || field.wireType === 'keyword') return [field?.path ?? name]
      if (this.#wanted.fail_on_unsupported_field)
        throw this.#shardError(`more_like_this only supports text/keyword fields: [${name}]`)
      return []
    })
  }

  #field(name: string): ResolvedField | undefined {
    const { services, scope } = this.#searching
    const known = services.catalogue.fields(this.#index)
    const field = known.get(name)
    const target = field?.wireType === 'alias' ? known.get(String(field.parameters['path'])) : field
    return target && scope.canSeeField(this.#index.name, target.path) ? target : undefined
  }

  /** The words of texts, cut as the first field cuts its own. */
  async #ofTexts(fields: readonly string[] | undefined, texts: readonly string[]): Promise<Map<string, Frequencies>> {
    const [first] = fields ?? []
    if (first === undefined || texts.length === 0) return new Map()
    const { services } = this.#searching
    const analysis = analysisOf(this.#index.settings)
    const { analyzer: named } = this.#wanted
    const own = named === undefined ? undefined : analysis.analyzer(named)
    if (!own && !this.#field(first)) throw illegalArgument(`No analyzer configured for field ${first}`)
    const analyzer = own ?? analyzerOfField(first, analysis, this.#index, services)
    return new Map([
      [
        first,
        this.#counted(
          first,
          texts.flatMap((text) => analyze(analyzer, text.slice(0, lettersMax)).slice(0, tokensMax)),
        ),
      ],
    ])
  }

  /** The words of documents by field; those that cannot be read have none. */
  async #ofDocuments(
    fields: readonly string[] | undefined,
    documents: readonly LikedDocument[],
  ): Promise<Map<string, Frequencies>> {
    const words = new Map<string, { readonly text: string }[]>()
    const { services, scope, signal } = this.#searching
    for (let at = 0; at < documents.length; at += readAtOnceMax)
      for await (const { document, index, source } of this.#read(documents.slice(at, at + readAtOnceMax))) {
        signal?.throwIfAborted()
        await setImmediate()
        const analyzers = document.per_field_analyzer ?? {}
        const asked = {
          fields: document.doc ? ['*'] : (document.fields ?? fields ?? ['*']),
          doc: document.doc,
          analyzers,
        }
        for (const { path, words: wordsOf } of vectorFields(services, scope, index, asked, source)) {
          const all = words.get(path) ?? []
          words.set(path, all)
          for (const word of wordsOf(source)) all.push(word)
        }
      }
    return new Map([...words].map(([path, all]) => [path, this.#counted(path, all)]))
  }

  /** Documents that can be read, in their order, with their sources: those of one index are read by one statement. */
  async *#read(documents: readonly LikedDocument[]) {
    const { services, scope } = this.#searching
    const placed: { readonly document: LikedDocument; readonly index: IndexMeta | undefined }[] = []
    for (const document of documents) placed.push({ document, index: await this.#indexOf(document) })
    const stored = new Map<IndexMeta, Map<string, StoredDocument>>()
    for (const index of new Set(placed.flatMap((each) => (each.index && !each.document.doc ? [each.index] : [])))) {
      const found = new Map<string, StoredDocument>()
      stored.set(index, found)
      const own = placed.filter((each) => each.index === index && !each.document.doc)
      const ids = [...new Set(own.map(({ document: { _id = '' } }) => _id))]
      const read = await ifReadable(() => readDocuments(scope, services, index, ids))
      for (const document of read ?? []) if (document) found.set(document.id, document)
    }
    for (const { document, index } of placed) {
      const source =
        index && (document.doc ?? (await this.#sourceOf(document, index, stored.get(index)?.get(document._id ?? ''))))
      if (index && source) yield { document, index, source }
    }
  }

  async #indexOf({ _index }: LikedDocument): Promise<IndexMeta | undefined> {
    const { services, scope, route } = this.#searching
    return _index === undefined ? this.#index : ifReadable(() => indexToRead(scope, services, route, _index))
  }

  #sourceOf({ routing, version }: LikedDocument, index: IndexMeta, document: StoredDocument | undefined) {
    if (!document || !isRoutedTo(index, document, routing)) return undefined
    return ifReadable(() => {
      checkVersion(index, document, { version })
      const permitted = permittedSource(this.#searching.scope, index, document.source, true)
      return permitted && parseSource(permitted)
    })
  }

  #counted(field: string, words: readonly { readonly text: string }[]): Frequencies {
    const { min_word_length: least, max_word_length: most, stop_words: stop = [] } = this.#wanted
    const left = new Set(stop)
    const counts = new Map<string, number>()
    for (const { text } of words) {
      if (text.length < least || (most > 0 && text.length > most) || left.has(text)) continue
      if (!this.#skipped.get(field)?.has(text)) counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    return counts
  }

  #skip(field: string, words: Frequencies): void {
    this.#skipped.set(field, new Set([...(this.#skipped.get(field) ?? []), ...words.keys()]))
  }

  /** The most telling words of each list, in one of its fields each, as one query. */
  async #termsOf(lists: readonly (readonly [fields: readonly string[], words: Frequencies])[]) {
    const should: object[] = []
    for (const [names, words] of lists) {
      const fields = names.flatMap((name) => this.#field(name) ?? [])
      should.push(...this.#terms(await this.#rare.telling(fields, words)))
    }
    if (should.length === 0) return undefined
    const needed = minimumShouldMatch(this.#wanted.minimum_should_match, should.length, 0)
    return { bool: { should, minimum_should_match: Math.max(1, needed) } }
  }

  /** As in Elasticsearch, the least telling of the chosen words is worth the boost, and the others the more. */
  #terms(chosen: readonly Telling[]): object[] {
    const { boost_terms: boost } = this.#wanted
    const [last] = chosen.slice(-1)
    if (!last || boost === 0) return chosen.map(({ field, word }) => ({ term: { [field]: { value: word } } }))
    if (boost < 0) throw illegalArgument(`boost must be a positive float, got ${boost.toFixed(1)}`)
    return chosen.map(({ field, word, score }) => ({
      term: { [field]: { value: word, boost: (boost * score) / last.score } },
    }))
  }

  #shardError(reason: string): AppError {
    return queryShardError(this.#index.name, illegalArgument(reason))
  }
}

/** Words of a text that are looked at, as in Lucene, and letters: more would be cut in vain. */
const tokensMax = 5_000
const lettersMax = 200_000

/** What is read; undefined where it is as if it were not there. */
async function ifReadable<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (thrown) {
    if (thrown instanceof AppError && unreadable.has(thrown.kind)) return undefined
    throw thrown
  }
}

/** Documents that are read by one statement. */
const readAtOnceMax = 100

/** Kinds of errors of a document that is named and cannot be read, which is as if it were not there. */
const unreadable: ReadonlySet<string> = new Set(['not-found', 'forbidden', 'conflict', 'invalid'])

const noFieldToCut =
  '[more_like_this] query cannot infer the field to analyze the free text, you should update the [index.query.default_field] index setting to a field that exists in the mapping or set the [fields] option in the query.'
