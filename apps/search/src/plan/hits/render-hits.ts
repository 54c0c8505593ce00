import type { SearchRequest } from '../../dsl/search-request.ts'
import { filterSourceText } from '../../dsl/source-filter.ts'
import { printDouble, printJson } from '../../json/print-json.ts'
import { parseSource } from '../../json/source-json.ts'
import type { Leaf } from '../leaves/leaves.ts'
import { type PlanRead, turnsOf } from '../leaves/plan-read.ts'
import type { ScriptedDocument } from '../leaves/scripted-values.ts'
import { ByteSink } from './byte-sink.ts'
import { collapseKey } from './collapse-field.ts'
import { type HighlightTerms, highlight, highlightTerms } from './highlight.ts'
import type { Hit } from './hit.ts'
import { hitFields, type ShownFields, scriptedFields, storedValues } from './hit-fields.ts'
import { type FoundHits, metadataOf } from './hits.ts'
import { shownClauses } from './named-clauses.ts'
import { nestedHits } from './nested-hits.ts'

/** What a hit takes beside its source, about. */
const hitBytes = 200

/**
 * The hits as JSON, joined from the stored bytes of their sources: a source that is shown whole is never parsed. Between hits that take long others
 * have their turn.
 */
export async function renderHits(
  found: FoundHits,
  hits: readonly Hit[],
  request: SearchRequest,
  totalAsInteger: boolean,
  read: PlanRead,
): Promise<Buffer> {
  const sink = new ByteSink(hits.reduce((sum, { source }) => sum + hitBytes + (source?.length ?? 0), 0))
  const turns = turnsOf(read)
  const slow = hits.some((hit) => takesLong(hit, request))
  for (const some of slow ? hits.map((hit) => [hit]) : [hits]) {
    // Hits that are only copied never wait until those with scripts are through.
    if (slow && turns.isDue) await turns.rest()
    turns.run(() => {
      for (const hit of some) {
        if (hit !== hits[0]) sink.text(',')
        renderHit(hit, found, request, sink, totalAsInteger)
      }
    })
  }
  return sink.end()
}

/** Whether scores are shown: with no sort, with `_score` in it, or when asked for. */
export function showsScores({ sort, trackScores }: SearchRequest): boolean {
  return sort.length === 0 || trackScores || sort.some(({ field }) => field === '_score')
}

/**
 * `max_score` of hits that were found with those of the pages before, on which the best may stand; undefined where it is not told: hits in another order do not
 * tell what the best of all that matched scored.
 */
export function bestScore(hits: readonly Hit[], { sort, trackScores }: SearchRequest): number | undefined {
  const [first] = sort
  const isTold =
    sort.length === 0 || trackScores || (sort.length === 1 && first?.field === '_score' && first.descending)
  return isTold && hits.length > 0 ? Math.max(...hits.map(({ score }) => score)) : undefined
}

/** Whether the sources must be read. */
export function needsSource(request: SearchRequest): boolean {
  return request.source !== 'none' || showsFields(request)
}

/** Whether versions and sequence numbers must be read: to show them, or for fields and scripts, which may ask for them. */
export function needsVersions(request: SearchRequest): boolean {
  return request.version || request.sequence || showsFields(request)
}

function showsFields({ fields, docvalueFields, highlight, scriptFields, storedFields }: SearchRequest): boolean {
  return fields.length + docvalueFields.length + highlight.length + scriptFields.length + storedFields.length > 0
}

function renderHit(hit: Hit, found: FoundHits, request: SearchRequest, sink: ByteSink, totalAsInteger: boolean): void {
  const { source: filter } = request
  const explanation = found.explanations?.get(hit)
  const place = explanation ? `"_shard":"[${hit.index.name}][0]","_node":"logstack-search",` : ''
  let head = `{${place}"_index":${JSON.stringify(hit.index.name)}`
  if (!request.hidesStored) head += `,"_id":${JSON.stringify(hit.id)}`
  if (request.version) head += `,"_version":${hit.version}`
  if (request.sequence) head += `,"_seq_no":${hit.seqNo},"_primary_term":1`
  head += `,"_score":${showsScores(request) ? printDouble(hit.score) : 'null'}`
  if (hit.ignored !== '' && !request.hidesStored) head += `,"_ignored":${hit.ignored}`
  if (hit.routing !== '' && !request.hidesStored) head += `,"_routing":${JSON.stringify(hit.routing)}`
  sink.text(head)
  if (filter !== 'none' && hit.source) {
    sink.text(',"_source":')
    if (filter === 'whole') sink.bytes(hit.source)
    else sink.text(filterSourceText(hit.source.toString('utf8'), filter))
  }
  let tail = ''
  const leftOut = new Map<string, readonly unknown[]>()
  const shown = shownFields(hit, request, leftOut)
  if (shown.size > 0) tail += `,"fields":${printJson(Object.fromEntries(shown))}`
  if (leftOut.size > 0) tail += `,"ignored_field_values":${printJson(Object.fromEntries(leftOut))}`
  if (request.highlight.length > 0) {
    const reader = hit.leaf.readerOf(hit.index)
    const marked = highlight(
      documentOf(hit),
      reader,
      hit.leaf.contextFor(hit.index),
      request.highlight,
      termsOf(hit.leaf),
    )
    if (Object.keys(marked).length > 0) tail += `,"highlight":${printJson(marked)}`
  }
  if (request.sort.length > 0) {
    const keys = found.keysOf(hit)
    tail += `,"sort":[${keys.map((key, at) => key.show(hit.values[at] ?? null)).join(',')}]`
  }
  const inner = innerHits(hit, found, totalAsInteger)
  if (inner !== '') tail += `,"inner_hits":{${inner}}`
  if (explanation) tail += `,"_explanation":${printJson(explanation)}`
  if (hit.matched.length > 0) tail += `,"matched_queries":${printJson(shownClauses(hit.matched))}`
  sink.text(`${tail}}`)
}

/** The inner hits of a collapsed group and of nested clauses, as members of one object. */
function innerHits(hit: Hit, found: FoundHits, totalAsInteger: boolean): string {
  const ofGroup = found.inner?.get(hit)?.slice(1, -1)
  const ofNested = hit.leaf.nestedHits.length > 0 ? nestedHits(hit, keptOf(hit), totalAsInteger) : []
  return [...(ofGroup === undefined ? [] : [ofGroup]), ...ofNested].join(',')
}

/** Whether showing a hit runs scripts, its own or those of fields that are made at run time, or marks what was looked for in its texts. */
function takesLong({ leaf }: Hit, { scriptFields, highlight }: SearchRequest): boolean {
  return scriptFields.length > 0 || highlight.length > 0 || leaf.context.computed.fields.size > 0
}

function shownFields(hit: Hit, request: SearchRequest, leftOut: Map<string, readonly unknown[]>): ShownFields {
  const { fields, docvalueFields, scriptFields, storedFields, collapse } = request
  const shown = new Map<string, readonly unknown[]>()
  if (fields.length + docvalueFields.length + scriptFields.length + storedFields.length > 0) {
    const reader = hit.leaf.readerOf(hit.index)
    const document = documentOf(hit)
    for (const piece of [
      hitFields(document, hit.leaf.contextFor(hit.index), reader, { fields, docvalueFields, leftOut }),
      storedValues(document.source, hit.leaf.contextFor(hit.index), storedFields),
      scriptedFields(document, reader, scriptFields),
    ])
      for (const [name, values] of piece) shown.set(name, values)
  }
  if (collapse && hit.group !== '') shown.set(collapse.field, [collapseKey(hit.leaf, collapse.field, hit.group)])
  return shown
}

function documentOf(hit: Hit): ScriptedDocument {
  return {
    source: sourceOf(hit),
    metadata: metadataOf(hit),
    ignored: hit.ignored === '' ? [] : JSON.parse(hit.ignored),
    score: hit.score,
  }
}

function sourceOf(hit: Hit): unknown {
  return hit.source ? parseSource(hit.source) : undefined
}

/** The source that objects are cut from: an index that does not show it has objects all the same. */
function keptOf(hit: Hit): unknown {
  return hit.kept ? parseSource(hit.kept) : undefined
}

const terms = new WeakMap<Leaf, HighlightTerms>()

function termsOf(leaf: Leaf): HighlightTerms {
  const known = terms.get(leaf)
  if (known) return known
  const made = highlightTerms([leaf.asked, ...leaf.besides])
  terms.set(leaf, made)
  return made
}
