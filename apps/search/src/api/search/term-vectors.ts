import { AppError, searchErrors } from '@logstack/errors'
import { fitsStars } from '@logstack/rules'
import { type Analysis, analysisOf } from '../../analysis/analysis.ts'
import type { StoredDocument } from '../../documents/documents.ts'
import { isObject } from '../../json/json-object.ts'
import { Double, printJson } from '../../json/print-json.ts'
import { parseSource } from '../../json/source-json.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import type { Scope } from '../../model/scope.ts'
import { leavesOf } from '../../plan/leaves/scripted-values.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { validationError } from '../../refusals/validation-error.ts'
import { permittedSource } from '../../security/visible-source.ts'
import type { Services } from '../../services.ts'
import { type Analyzer, analyze, type Token } from '../../tokens/token.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { objectBody } from '../read-request.ts'
import { renderError } from '../render-error.ts'
import { checkVersion, indexToRead, isRoutedTo, readDocuments } from '../resources/read-documents.ts'
import { analyzerOfField } from './analyze.ts'
import { countTerms, type FieldStatistics } from './term-statistics.ts'
import { readTermVectors, type TermFilter, type TermVectorRequest } from './term-vector-request.ts'

const parameters = {
  fields: 'list',
  offsets: 'boolean',
  payloads: 'boolean',
  positions: 'boolean',
  term_statistics: 'boolean',
  field_statistics: 'boolean',
  realtime: 'boolean',
  preference: 'string',
  routing: 'string',
  version: 'integer',
  version_type: ['internal', 'external', 'external_gte', 'force'],
} as const
/** Of a filter that names none. */
const filteredTermsDefault = 25

type Words = readonly Token[]

/** A field of a document that has terms. */
export interface VectorField {
  readonly path: string
  words(source: unknown): Words
}

/** The options in the address; who asks for a preferred copy finds the only one. */
function optionsOf({ query }: RouteRequest): Record<string, unknown> {
  const named = Object.keys(parameters).filter((name) => name !== 'preference')
  return Object.fromEntries(named.map((name) => [name, query[name]]))
}

const bodyOf = (request: RouteRequest): Readonly<Record<string, unknown>> =>
  request.body.length === 0 ? {} : objectBody(request.json(), 'term vectors request')

/** The fields of an index that have terms and are asked for, with what makes the terms of a document. */
export function vectorFields(
  services: Services,
  scope: Scope,
  index: IndexMeta,
  asked: Pick<TermVectorRequest, 'fields' | 'doc' | 'analyzers'>,
  source: unknown,
): VectorField[] {
  const analysis = analysisOf(index.settings)
  const known = [...services.catalogue.fields(index).values()].filter(
    (field) => hasTerms(field) && scope.canSeeField(index.name, field.path),
  )
  const isWanted = (field: ResolvedField): boolean => {
    if (asked.fields) return asked.fields.some((pattern) => fitsStars(field.path, pattern))
    return asked.doc !== undefined || keepsVectors(field)
  }
  return known
    .filter((field) => isWanted(field) && leavesOf(source, field).length > 0)
    .map((field) => {
      const analyzer = analyzerFor(services, index, analysis, field, asked)
      return { path: field.path, words: (document) => wordsOf(analyzer, field, document) }
    })
}

const termTypes = new Set(['text', 'match_only_text', 'keyword'])

/** Whether the words or values of a field are in the index. */
export function hasTerms({ wireType, computed, parameters: { index } }: ResolvedField): boolean {
  return termTypes.has(wireType) && computed === undefined && index !== false && index !== 'false'
}

function keepsVectors({ parameters: { term_vector: kept } }: ResolvedField): boolean {
  return kept !== undefined && kept !== 'no'
}

function analyzerFor(
  services: Services,
  index: IndexMeta,
  analysis: Analysis,
  { path }: ResolvedField,
  { analyzers }: Pick<TermVectorRequest, 'analyzers'>,
): Analyzer {
  const named = Object.entries(analyzers).find(([pattern]) => fitsStars(path, pattern))?.[1]
  if (named === undefined) return analyzerOfField(path, analysis, index, services)
  const found = analysis.analyzer(named)
  if (!found) throw illegalArgument(`No analyzer found for [${named}]`)
  return found
}

/** The words of all values of a field, their places counted on as in the index. */
function wordsOf(analyzer: Analyzer, field: ResolvedField, source: unknown): Words {
  const { ignore_above: longest } = field.parameters
  const all: Token[] = []
  let position = 0
  let offset = 0
  for (const leaf of leavesOf(source, field)) {
    if (leaf === null || typeof leaf === 'object') continue
    const text = String(leaf)
    if (field.wireType === 'keyword' && longest !== undefined && text.length > Number(longest)) continue
    const words = analyze(analyzer, text)
    for (const word of words)
      all.push({
        ...word,
        position: word.position + position,
        start: word.start + offset,
        end: word.end + offset,
      })
    position += (words.at(-1)?.position ?? -1) + 1 + analyzer.positionGap
    offset += text.length + 1
  }
  return all
}

/** The terms of a document in the form of an answer. */
async function vectorsOf(
  request: RouteRequest,
  services: Services,
  index: IndexMeta,
  asked: TermVectorRequest,
  source: unknown,
): Promise<Record<string, unknown>> {
  const fields = vectorFields(services, request.scope, index, asked, source)
  const needsCounts = asked.fieldStatistics || asked.termStatistics || asked.filter !== undefined
  const counting = new Map(
    fields.map(({ path, words }) => [path, (document: unknown) => words(document).map(({ text }) => text)]),
  )
  const counted = await countTerms(services, request.scope, index, needsCounts ? counting : new Map())
  return Object.fromEntries(
    fields.map(({ path, words }) => [path, showField(words(source), counted.get(path), asked)] as const),
  )
}

function showField(words: Words, counted: FieldStatistics | undefined, asked: TermVectorRequest): object {
  const byTerm = new Map<string, Token[]>()
  for (const word of words) byTerm.set(word.text, [...(byTerm.get(word.text) ?? []), word])
  const terms = [...byTerm].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const scores = asked.filter && counted ? scoresOf(terms, counted, asked.filter) : undefined
  const kept = scores ? terms.filter(([term]) => scores.has(term)) : terms
  const shownTerms = kept.map(([term, tokens]) => {
    const score = scores?.get(term)
    const scored = score === undefined ? {} : { score: new Double(score) }
    return [term, { ...showTerm(term, tokens, counted, asked), ...scored }] as const
  })
  const statistics = asked.fieldStatistics && counted ? { field_statistics: totalsOf(counted) } : {}
  return { ...statistics, terms: Object.fromEntries(shownTerms) }
}

function totalsOf({ documents, terms }: FieldStatistics): Record<string, number> {
  let sumOfDocuments = 0
  let sumOfTotals = 0
  for (const one of terms.values()) {
    sumOfDocuments += one.documents
    sumOfTotals += one.total
  }
  return { sum_doc_freq: sumOfDocuments, doc_count: documents, sum_ttf: sumOfTotals }
}

function showTerm(term: string, tokens: Words, counted: FieldStatistics | undefined, asked: TermVectorRequest): object {
  const { documents = 0, total = 0 } = counted?.terms.get(term) ?? {}
  const { positions, offsets } = asked
  const shownTokens = tokens.map(({ position, start, end }) => ({
    ...(positions ? { position } : {}),
    ...(offsets ? { start_offset: start, end_offset: end } : {}),
  }))
  return {
    ...(asked.termStatistics ? { doc_freq: documents, ttf: total } : {}),
    term_freq: tokens.length,
    ...(positions || offsets ? { tokens: shownTokens } : {}),
  }
}

/** The terms that a filter leaves, with how telling they are: their frequency times how rare documents with them are. */
function scoresOf(
  terms: readonly (readonly [string, Words])[],
  counted: FieldStatistics,
  filter: TermFilter,
): ReadonlyMap<string, number> {
  const within = (value: number, least = 0, most = 0): boolean => value >= least && (most === 0 || value <= most)
  const scored = terms.flatMap(([term, tokens]): [string, number][] => {
    const { documents = 0 } = counted.terms.get(term) ?? {}
    const isKept =
      within(tokens.length, filter.min_term_freq, filter.max_term_freq) &&
      within(documents, filter.min_doc_freq, filter.max_doc_freq) &&
      within(term.length, filter.min_word_length, filter.max_word_length)
    const rareness = Math.log((counted.documents + 1) / (documents + 1)) + 1
    return isKept ? [[term, tokens.length * rareness]] : []
  })
  const best = scored.sort(([, a], [, b]) => b - a).slice(0, filter.max_num_terms ?? filteredTermsDefault)
  return new Map(best)
}

/** One answer: of a stored document, or of one that the request brings. */
async function answer(
  request: RouteRequest,
  services: Services,
  asked: TermVectorRequest,
  route = 'termvectors',
): Promise<object> {
  const started = services.now()
  const index = indexToRead(request.scope, services, route, asked.index ?? '')
  // Who may not read the index hears of nothing else.
  checkDocument(asked)
  const took = (): number => Math.max(0, services.now() - started)
  if (asked.doc !== undefined) {
    const vectors = await vectorsOf(request, services, index, asked, asked.doc)
    return { _index: index.name, _version: 0, found: true, took: took(), term_vectors: vectors }
  }
  const id = asked.id ?? ''
  const document = await found(request, services, index, asked, id)
  if (!document) return { _index: index.name, _id: id, _version: 0, found: false, took: took() }
  const permitted = permittedSource(request.scope, index, document.source, true)
  const vectors = await vectorsOf(request, services, index, asked, permitted ? parseSource(permitted) : {})
  return { _index: index.name, _id: id, _version: document.version, found: true, took: took(), term_vectors: vectors }
}

async function found(
  request: RouteRequest,
  services: Services,
  index: IndexMeta,
  { routing, read }: TermVectorRequest,
  id: string,
): Promise<StoredDocument | undefined> {
  const [document] = await readDocuments(request.scope, services, index, [id], read)
  const routed = isRoutedTo(index, document, routing) ? document : undefined
  checkVersion(index, routed, read)
  return routed
}

/** Throws unless exactly one of a stored and an own document is meant. */
function checkDocument({ id, doc }: TermVectorRequest): void {
  if (id !== undefined && doc !== undefined)
    throw new AppError(searchErrors.parse_exception, 'either [id] or [doc] can be specified, but not both!')
  if (id === undefined && doc === undefined) throw validationError('id or doc is missing')
}

const termVectors = defineRoute({
  name: 'termvectors',
  methods: ['GET', 'POST'],
  paths: ['/{index}/_termvectors', '/{index}/_termvectors/{id}'],
  privilege: { index: 'read' },
  parameters,
  async handle(request, services) {
    const place = { _index: request.params['index'], _id: request.params['id'] }
    const asked = readTermVectors(bodyOf(request), optionsOf(request), place)
    return { jsonBytes: Buffer.from(printJson(await answer(request, services, asked))) }
  },
})

function readSeveral(request: RouteRequest): TermVectorRequest[] {
  const { docs = [], ids = [], parameters: shared = {}, ...unknown } = bodyOf(request)
  const [key] = Object.keys(unknown)
  if (key !== undefined)
    throw new AppError(searchErrors.parse_exception, `No parameter named [${key}] and type [START_ARRAY]`)
  if (!Array.isArray(docs) || !Array.isArray(ids) || !isObject(shared) || !docs.every(isObject))
    throw new AppError(searchErrors.parse_exception, 'docs array element should include an object')
  const named = (request.query['ids'] as readonly string[] | undefined) ?? []
  const standard = [{ _index: request.params['index'] }, optionsOf(request), shared]
  const all = [
    ...docs.map((doc) => readTermVectors(...standard, doc)),
    ...[...ids, ...named].map((id) => readTermVectors(...standard, { _id: id })),
  ]
  if (all.length === 0) throw validationError('multi term vectors: no documents requested')
  const problems = all.flatMap(({ index }) => (index === undefined ? ['index is missing'] : []))
  if (problems.length > 0) throw validationError(...problems)
  for (const one of all) checkDocument(one)
  return all
}

const multiTermVectors = defineRoute({
  name: 'mtermvectors',
  methods: ['GET', 'POST'],
  paths: ['/_mtermvectors', '/{index}/_mtermvectors'],
  privilege: { index: 'read' },
  somewhere: { privilege: 'read', of: 'items' },
  parameters: { ...parameters, ids: 'list' },
  async handle(request, services) {
    const docs: object[] = []
    for (const asked of readSeveral(request)) {
      try {
        docs.push(await answer(request, services, asked, 'mtermvectors.item'))
      } catch (thrown) {
        if (!(thrown instanceof AppError)) throw thrown
        // One document's fault is its own, as in a bulk.
        const { body } = renderError(thrown, { trace: request.errorTrace === true })
        docs.push({ _index: asked.index, ...(asked.id === undefined ? {} : { _id: asked.id }), error: body['error'] })
      }
    }
    return { jsonBytes: Buffer.from(printJson({ docs })) }
  },
})

/** `_termvectors` and `_mtermvectors`: the terms of documents with their places, and how common they are in the index. */
export const termVectorRoutes: readonly Route[] = [termVectors, multiTermVectors]
