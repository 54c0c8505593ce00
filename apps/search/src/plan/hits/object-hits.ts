import { leavesAt } from '@logstack/rules'
import type { SearchRequest } from '../../dsl/search-request.ts'
import { changeSourceText } from '../../dsl/source-choice.ts'
import { filterSourceText } from '../../dsl/source-filter.ts'
import { printDouble, printJson } from '../../json/print-json.ts'
import { parseSource } from '../../json/source-json.ts'
import { showsSources } from '../../model/kept-source.ts'
import { permittedSource } from '../../security/visible-source.ts'
import { type HighlightTerms, highlight } from './highlight.ts'
import type { Hit } from './hit.ts'
import { hitFields, scriptedFields, storedValues } from './hit-fields.ts'
import { metadataOf } from './hits.ts'

/** An object within a document, to be shown as a hit. */
export interface ShownObject {
  /** The document. */
  readonly hit: Hit
  readonly path: string
  /** Its place among the objects at each nested path above it, outermost first. */
  readonly places: readonly { readonly path: string; readonly offset: number }[]
  /** The object as JSON. */
  readonly text: string
  /** The JSON of the values it is ordered by; none where there is no sort. */
  readonly sort: readonly string[]
}

/** How an object is shown beside what the request says. */
interface ObjectView {
  readonly score: number | undefined
  readonly showsId: boolean
  readonly showsSequence: boolean
  readonly terms: HighlightTerms
}

/** Whether showing an object reads its document's source: Elasticsearch then knows the id, too. */
export function readsObject({ source, fields, highlight: marks, scriptFields }: SearchRequest): boolean {
  return source !== 'none' || fields.length + marks.length + scriptFields.length > 0
}

/** An object as JSON, as `inner_hits` and `top_hits` show it: paths of what is shown of it are those of the whole document. */
export function renderObject(object: ShownObject, request: SearchRequest, view: ObjectView): string {
  const { hit, places, sort } = object
  const nested = places.reduceRight<unknown>(
    (inner, { path, offset }) => ({ field: path, offset, ...(inner === undefined ? {} : { _nested: inner }) }),
    undefined,
  )
  const score = view.score === undefined ? 'null' : printDouble(view.score)
  const members = [
    `"_index":${JSON.stringify(hit.index.name)}`,
    ...(view.showsId && !request.hidesStored ? [`"_id":${JSON.stringify(hit.id)}`] : []),
    `"_nested":${printJson(nested)}`,
    ...(request.version ? [`"_version":${hit.version}`] : []),
    ...(request.sequence && view.showsSequence ? [`"_seq_no":${hit.seqNo},"_primary_term":1`] : []),
    `"_score":${score}`,
    ...shownParts(object, request, view),
    ...(sort.length > 0 ? [`"sort":[${sort.join(',')}]`] : []),
  ]
  return `{${members.join(',')}}`
}

/** The source, the fields and the highlights of an object, as members. */
function shownParts({ hit, path, text }: ShownObject, request: SearchRequest, { terms }: ObjectView): string[] {
  const { leaf, index } = hit
  const { source: filter, fields, docvalueFields, storedFields, scriptFields } = request
  const alone = Buffer.from(path.split('.').reduceRight((inner, step) => `{${JSON.stringify(step)}:${inner}}`, text))
  const permitted = permittedSource(leaf.scope, index, alone, true) ?? alone
  const members: string[] = []
  const isShown = showsSources(index)
  if (filter !== 'none' && isShown) {
    const isWhole = filter === 'whole' && permitted === alone
    members.push(`"_source":${isWhole ? text : objectIn(permitted.toString('utf8'), path, filter)}`)
  }
  const asked = [fields, docvalueFields, storedFields, scriptFields, request.highlight]
  if (asked.every(({ length }) => length === 0)) return members
  const reader = leaf.readerOf(index)
  const context = leaf.contextFor(index)
  const document = { source: parseSource(permitted), metadata: metadataOf(hit), score: hit.score }
  const shown = new Map([
    ...hitFields(document, context, reader, { fields: isShown ? fields : [], docvalueFields, inside: path }),
    ...storedValues(document.source, context, storedFields),
    ...scriptedFields(document, reader, scriptFields),
  ])
  if (shown.size > 0) members.push(`"fields":${printJson(Object.fromEntries(shown))}`)
  const marked = highlight(document, reader, context, request.highlight, terms, path)
  if (Object.keys(marked).length > 0) members.push(`"highlight":${printJson(marked)}`)
  return members
}

/** The object at a path of a document that has it alone, as JSON, in the parts that are asked for. */
function objectIn(document: string, path: string, filter: Exclude<SearchRequest['source'], 'none'>): string {
  const kept = filter === 'whole' ? document : filterSourceText(document, filter)
  return changeSourceText(kept, (parsed) => Object(leavesAt(parsed, path)[0] ?? {}))
}
