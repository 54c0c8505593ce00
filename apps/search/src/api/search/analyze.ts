import { AppError, searchErrors } from '@logstack/errors'
import { type Analysis, analysisOf } from '../../analysis/analysis.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { Scope } from '../../model/scope.ts'
import { validationError } from '../../refusals/validation-error.ts'
import { forbidden } from '../../security/denied.ts'
import type { Services } from '../../services.ts'
import { type Analyzer, analyze, mapText, type Token, withOrigins } from '../../tokens/token.ts'
import { scalarText } from '../../values/scalar-text.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { indicesOf } from '../indices/index-admin.ts'
import { objectBody } from '../read-request.ts'

const tokensMaxDefault = 10_000
const bodyKeys = [
  'analyzer',
  'tokenizer',
  'filter',
  'char_filter',
  'normalizer',
  'field',
  'text',
  'explain',
  'attributes',
]

type Body = Readonly<Record<string, unknown>>

function invalid(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

function listOf(given: unknown): readonly unknown[] {
  return given === undefined ? [] : [given].flat()
}

function readBody(request: RouteRequest): { readonly body: Body; readonly texts: readonly string[] } {
  const body = objectBody(request.json(), 'analyze_request')
  const unknown = Object.keys(body).find((key) => !bodyKeys.includes(key))
  if (unknown !== undefined) {
    throw new AppError(searchErrors.x_content_parse_exception, `[analyze_request] unknown field [${unknown}]`)
  }
  const texts = listOf(body['text']).map(textOf)
  if (texts.length === 0) throw validationError('text is missing')
  return { body, texts }
}

function textOf(value: unknown): string {
  if (value !== null && typeof value !== 'object') return String(value)
  throw new AppError(
    searchErrors.x_content_parse_exception,
    `[analyze_request] text doesn't support values of type: ${value === null ? 'VALUE_NULL' : 'START_OBJECT'}`,
  )
}

/** The analyzer a request means: the one it names or puts together, that of its field, or the index's default. */
function nameOf(value: unknown, key: string): string {
  if (typeof value === 'string') return value
  throw invalid(`[${key}] must be a name`)
}

function chosenAnalyzer(body: Body, analysis: Analysis, index: IndexMeta | undefined, services: Services): Analyzer {
  const { analyzer, normalizer, tokenizer, filter, char_filter, field } = body
  if (analyzer !== undefined) {
    const name = nameOf(analyzer, 'analyzer')
    const found = analysis.analyzer(name)
    if (found) return found
    throw invalid(`failed to find ${index ? '' : 'global '}analyzer [${name}]`)
  }
  if (normalizer !== undefined) {
    if (!index) throw validationError('index is required if normalizer is specified')
    const name = nameOf(normalizer, 'normalizer')
    const found = analysis.normalizer(name)
    if (found) return found
    throw invalid(`failed to find normalizer under [${name}]`)
  }
  if (tokenizer !== undefined || filter !== undefined || char_filter !== undefined) {
    if (tokenizer === undefined) analysis.checkNormalizing(listOf(filter), '')
    return analysis.custom({
      ...(tokenizer === undefined ? {} : { tokenizer }),
      filter: listOf(filter),
      char_filter: listOf(char_filter),
    })
  }
  if (field !== undefined) {
    if (!index) throw invalid('analysis based on a specific field requires an index')
    return analyzerOfField(nameOf(field, 'field'), analysis, index, services)
  }
  return defaultAnalyzer(analysis)
}

function defaultAnalyzer(analysis: Analysis): Analyzer {
  const found = analysis.analyzer('default')
  if (!found) throw new Error('BUG: there is no default analyzer')
  return found
}

const textTypes = new Set(['text', 'match_only_text', 'search_as_you_type'])

/** What cuts the values of a field into terms. Throws `illegal_argument_exception` for fields that have none. */
export function analyzerOfField(path: string, analysis: Analysis, index: IndexMeta, { catalogue }: Services): Analyzer {
  const field = catalogue.fields(index).get(path)
  if (!field || textTypes.has(field.wireType)) {
    const name = field?.parameters['analyzer']
    const found = name === undefined ? defaultAnalyzer(analysis) : analysis.analyzer(String(name))
    if (!found) throw invalid(`failed to find analyzer [${String(name)}]`)
    return found
  }
  if (field.wireType !== 'keyword') {
    throw invalid(`Can't process field [${path}], Analysis requests are only supported on tokenized fields`)
  }
  const normalizer = field.parameters['normalizer']
  const found = normalizer === undefined ? analysis.analyzer('keyword') : analysis.normalizer(String(normalizer))
  if (!found) throw invalid(`failed to find normalizer under [${String(normalizer)}]`)
  return found
}

/** Words of several texts, one after the other as the values of a field. */
class TokenList {
  readonly tokens: Record<string, unknown>[] = []
  #position = 0
  #offset = 0
  readonly #gap: number
  readonly #show: (token: Token) => Record<string, unknown>
  readonly #max: number

  constructor(gap: number, max: number, show: (token: Token) => Record<string, unknown>) {
    this.#gap = gap
    this.#max = max
    this.#show = show
  }

  add(text: string, found: readonly Token[]): void {
    for (const token of found) {
      if (this.tokens.length >= this.#max) {
        throw new AppError(
          searchErrors.illegal_state_exception,
          `The number of tokens produced by calling _analyze has exceeded the allowed maximum of [${this.#max}]. This limit can be set by changing the [index.analyze.max_token_count] index level setting.`,
        )
      }
      const { start, end, position } = token
      const offset = this.#offset
      const moved = { ...token, start: start + offset, end: end + offset, position: position + this.#position }
      this.tokens.push(this.#show(moved))
    }
    this.#offset += text.length + 1
    this.#position += (found.at(-1)?.position ?? -1) + 1 + this.#gap
  }
}

function showToken({ text, start, end, type, position, positionLength = 1 }: Token): Record<string, unknown> {
  return {
    token: text,
    start_offset: start,
    end_offset: end,
    type,
    position,
    ...(positionLength > 1 ? { positionLength } : {}),
  }
}

/** The further attributes of a word that `explain` shows, all or those asked for. */
function explained(wanted: readonly string[]): (token: Token) => Record<string, unknown> {
  return (token) => {
    const bytes = [...Buffer.from(token.text)].map((byte) => byte.toString(16)).join(' ')
    const attributes = {
      bytes: `[${bytes}]`,
      positionLength: token.positionLength ?? 1,
      termFrequency: 1,
      ...(token.keyword === undefined ? {} : { keyword: token.keyword }),
    }
    const kept = Object.entries(attributes).filter(([name]) => wanted.length === 0 || wanted.includes(name))
    return { ...showToken(token), ...Object.fromEntries(kept) }
  }
}

interface Task {
  readonly analyzer: Analyzer
  readonly texts: readonly string[]
  readonly tokensMax: number
  readonly attributes: readonly string[]
}

/** What each part of a chain makes of the texts. */
function explain({ analyzer, texts, tokensMax, attributes }: Task): Record<string, unknown> {
  const list = (): TokenList => new TokenList(analyzer.positionGap, tokensMax, explained(attributes))
  const after = (filters: number): Record<string, unknown>[] => {
    const tokens = list()
    for (const text of texts)
      tokens.add(text, analyze({ ...analyzer, filters: analyzer.filters.slice(0, filters) }, text))
    return tokens.tokens
  }
  if (!analyzer.custom) {
    return { custom_analyzer: false, analyzer: { name: analyzer.name, tokens: after(analyzer.filters.length) } }
  }
  const charfilters = analyzer.charFilters.map(({ name }, at) => ({
    name,
    filtered_text: texts.map((text) => mapText(analyzer.charFilters.slice(0, at + 1), text).text),
  }))
  const cut = list()
  for (const text of texts) {
    const mapped = mapText(analyzer.charFilters, text)
    cut.add(text, withOrigins(analyzer.tokenizer.work(mapped.text), mapped))
  }
  return {
    custom_analyzer: true,
    charfilters,
    tokenizer: { name: analyzer.tokenizer.name, tokens: cut.tokens },
    ...(analyzer.filters.length > 0
      ? { tokenfilters: analyzer.filters.map(({ name }, at) => ({ name, tokens: after(at + 1) })) }
      : {}),
  }
}

/** Throws 403 unless the caller may analyze without the settings of an index. */
function requireWithoutIndex(scope: Scope): void {
  if (!scope.hasCluster(withoutIndex)) throw forbidden(scope, withoutIndex, 'cluster', withoutIndex)
}

const withoutIndex = 'cluster:admin/analyze'

/** `_analyze`: the words an analyzer makes of texts, and with `explain` what each of its parts does. */
export const analyzeRoute: Route = defineRoute({
  name: 'indices.analyze',
  methods: ['GET', 'POST'],
  paths: ['/_analyze', '/{index}/_analyze'],
  privilege: 'authenticated',
  parameters: { index: 'string', prefer_local: 'boolean' },
  async handle(request, services) {
    const { body, texts } = readBody(request)
    if ((request.params['index'] ?? request.query['index']) === undefined) requireWithoutIndex(request.scope)
    const named = request.params['index'] ?? request.query['index']
    const asked = typeof named === 'string' ? { ...request, params: { ...request.params, index: named } } : request
    const [index] =
      typeof named === 'string'
        ? indicesOf(asked, services, 'indices.analyze', 'manage', { allowNoIndices: false })
        : []
    const analysis = analysisOf(index?.settings ?? {})
    const tokensMax = Number(index?.settings['analyze.max_token_count'] ?? tokensMaxDefault)
    const analyzer = chosenAnalyzer(body, analysis, index, services)
    const attributes = listOf(body['attributes']).map(scalarText)
    if (body['explain'] === true) return { json: { detail: explain({ analyzer, texts, tokensMax, attributes }) } }
    // Only the values of a field stand apart.
    const gap = body['field'] === undefined ? 0 : analyzer.positionGap
    const list = new TokenList(gap, tokensMax, showToken)
    for (const text of texts) list.add(text, analyze(analyzer, text))
    return { json: { tokens: list.tokens } }
  },
})
