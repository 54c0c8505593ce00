import type { SearchClient } from '@logstack/search-client'
import type { KeyCount } from '../rule-types/define-rule-type.ts'
import { type EventRange, type EventSource, queryOf, refreshForOthers } from './event-query.ts'
import { searchCounting } from './text-keys.ts'

/** So many indices are counted in one search. */
const indicesAtOnceMax = 50
/** Letters of their names, which stand in its address: Elasticsearch and OpenSearch take 4,096 of a whole line. */
const namesLettersMax = 3_000

interface Buckets {
  readonly sum_other_doc_count?: number
  readonly buckets: readonly { readonly key: unknown; readonly key_as_string?: string; readonly doc_count: number }[]
}

interface Answer {
  readonly hits: { readonly total?: { readonly value: number } }
  readonly aggregations?: Readonly<Record<string, Buckets>>
}

/** A search that is about to be sent, and what it is to answer. */
interface Question {
  readonly terms: Map<string, string>
  wantsTotal: boolean
  askers: number
  readonly answer: Promise<Answer>
}

/**
 * Counts new events: of all indices in one search, and in one for all rules that ask about the same events at the same moment. Each statement costs search far more
 * than the few new rows that it reads.
 */
export class EventCounter {
  readonly #client: SearchClient
  readonly #questions = new Map<string, Question>()

  constructor(client: SearchClient) {
    this.#client = client
  }

  /** How many matching events there are, for each key when `byKey`; all of the ranges together. */
  async count(source: EventSource, ranges: readonly EventRange[], byKey: boolean): Promise<readonly KeyCount[]> {
    const apart = ranges.filter(({ shard }) => shard.shards > 1)
    const together = ranges.filter(({ shard }) => shard.shards === 1)
    const groups = [...apart.map((range) => [range]), ...addressable(together)]
    return sumOf(await Promise.all(groups.map((group) => this.#countGroup(source, group, byKey))))
  }

  async #countGroup(source: EventSource, ranges: readonly EventRange[], byKey: boolean): Promise<readonly KeyCount[]> {
    const field = source.queryKey[0]
    if (byKey && field === undefined) return []
    const terms = byKey ? JSON.stringify({ field, size: source.termsSize, min_doc_count: 1 }) : undefined
    const { answer, name } = await this.#ask(source, ranges, terms)
    if (name === undefined) return [{ key: '', count: answer.hits.total?.value ?? 0 }]
    const found = answer.aggregations?.[name]
    // More keys than a rule takes of one index: what is left out must not depend on the others.
    if (ranges.length > 1 && (found?.sum_other_doc_count ?? 0) > 0)
      return sumOf(await Promise.all(ranges.map((range) => this.#countGroup(source, [range], byKey))))
    return (found?.buckets ?? []).map(({ key, key_as_string: text, doc_count: count }) => ({
      key: text ?? String(key),
      count,
    }))
  }

  /** The answer of a search, and under which name it has the terms that were asked for. */
  async #ask(
    source: EventSource,
    ranges: readonly EventRange[],
    terms: string | undefined,
  ): Promise<{ readonly answer: Answer; readonly name: string | undefined }> {
    const query = ranges.length === 1 && ranges[0] ? queryOf(source, ranges[0]) : queryOfAll(source, ranges)
    const asked = JSON.stringify([ranges.map(({ shard }) => shard), query])
    const question = this.#questions.get(asked) ?? this.#begin(asked, query, ranges)
    question.askers += 1
    if (terms === undefined) question.wantsTotal = true
    else if (!question.terms.has(terms)) question.terms.set(terms, `counts${question.terms.size}`)
    const name = terms === undefined ? undefined : question.terms.get(terms)
    try {
      return { answer: await question.answer, name }
    } catch (thrown) {
      if (question.askers === 1) throw thrown
      // What one rule asks for may be refused: the others go without it.
      const own = new Map(terms === undefined ? [] : [[terms, 'counts0']])
      const answer = await this.#send(query, ranges, own, terms === undefined)
      return { answer, name: terms === undefined ? undefined : 'counts0' }
    }
  }

  /** A question that is sent when all rules that are at it have asked. */
  #begin(asked: string, query: unknown, ranges: readonly EventRange[]): Question {
    const allHaveAsked = new Promise<void>((resolve) => {
      setImmediate(resolve)
    })
    const question: Question = {
      terms: new Map(),
      wantsTotal: false,
      askers: 0,
      answer: allHaveAsked.then(() => {
        this.#questions.delete(asked)
        return this.#send(query, ranges, question.terms, question.wantsTotal)
      }),
    }
    this.#questions.set(asked, question)
    return question
  }

  async #send(
    query: unknown,
    ranges: readonly EventRange[],
    terms: ReadonlyMap<string, string>,
    wantsTotal: boolean,
  ): Promise<Answer> {
    const names = ranges.map(({ shard }) => encodeURIComponent(shard.index)).join(',')
    const shard = ranges[0]?.shard
    await refreshForOthers(this.#client, names)
    const aggs = Object.fromEntries([...terms].map(([text, name]) => [name, { terms: JSON.parse(text) }]))
    return searchCounting<Answer>(this.#client, {
      method: 'POST',
      path: `/${names}/_search`,
      query: {
        preference: shard && shard.shards > 1 ? `_shards:${shard.shard}` : undefined,
        ignore_unavailable: true,
        // A rule that does not see all events must fail: it would be quiet about those it misses.
        allow_partial_search_results: false,
      },
      // The buckets hold all that is counted by key.
      body: { size: 0, track_total_hits: wantsTotal, query, ...(terms.size > 0 ? { aggs } : {}) },
    })
  }
}

/** Ranges in groups whose indices one search can name. */
function addressable(ranges: readonly EventRange[]): EventRange[][] {
  const groups: EventRange[][] = []
  let letters = 0
  for (const range of ranges) {
    const own = encodeURIComponent(range.shard.index).length + 1
    const last = groups.at(-1)
    if (last && last.length < indicesAtOnceMax && letters + own <= namesLettersMax) {
      last.push(range)
      letters += own
    } else {
      groups.push([range])
      letters = own
    }
  }
  return groups
}

/** The same as `queryOf` for several indices, each with its own range. */
function queryOfAll(source: EventSource, ranges: readonly EventRange[]): unknown {
  const should = ranges.map((range) => {
    const { filter } = queryOf({ ...source, filter: [] }, range).bool
    return { bool: { filter: [{ term: { _index: range.shard.index } }, ...filter] } }
  })
  return { bool: { filter: [{ bool: { should, minimum_should_match: 1 } }, ...source.filter] } }
}

function sumOf(counts: readonly (readonly KeyCount[])[]): readonly KeyCount[] {
  const [only = []] = counts
  if (counts.length <= 1) return only
  const sums = new Map<string, number>()
  for (const { key, count } of counts.flat()) sums.set(key, (sums.get(key) ?? 0) + count)
  return [...sums].map(([key, count]) => ({ key, count }))
}
