import { AppError, searchErrors } from '@logstack/errors'
import { type Analysis, analysisOf } from '../analysis/analysis.ts'
import { beginningsOfRows, rowsOfWords } from '../analysis/word-rows.ts'
import type { IndexSettings } from '../model/index-meta.ts'
import type { FieldMapping, Mapping } from '../model/mapping.ts'
import type { FieldWords } from '../tokens/column-words.ts'
import { type Analyzer, analyze } from '../tokens/token.ts'
import { gramPrefixes, gramSize } from './field-types/search-as-you-type.ts'

/** Field types whose values are cut into words. */
const textTypes = new Set(['text', 'match_only_text', 'search_as_you_type', 'completion'])
const analyzerParameters = ['analyzer', 'search_analyzer', 'search_quote_analyzer'] as const

const keys = new WeakMap<IndexSettings, string>()

/** What the settings say about analysis, as one text: equal for indices that cut alike. Empty without any. */
export function analysisKey(settings: IndexSettings): string {
  const known = keys.get(settings)
  if (known !== undefined) return known
  const own = Object.entries(settings).filter(([name]) => name.startsWith('analysis.'))
  const key = own.length === 0 ? '' : JSON.stringify(own.sort(([a], [b]) => (a < b ? -1 : 1)))
  keys.set(settings, key)
  return key
}

/** How a text field cuts its texts; undefined where it is the standard analyzer, which columns need no help with. */
export function fieldWords(
  parameters: Readonly<Record<string, unknown>>,
  settings: IndexSettings,
): FieldWords | undefined {
  const named = (parameter: (typeof analyzerParameters)[number]) => {
    const given = parameters[parameter]
    return given === undefined || given === null ? undefined : String(given)
  }
  const key = analysisKey(settings)
  const size = parameters[gramSize]
  const isPlain = key === '' && analyzerParameters.every((each) => (named(each) ?? 'standard') === 'standard')
  if (isPlain && size === undefined) return undefined
  const analysis = analysisOf(settings)
  const index = named('analyzer') ?? 'default'
  const search = named('search_analyzer') ?? searchDefault(analysis, named('analyzer')) ?? index
  const quoted = named('search_quote_analyzer') ?? search
  const names = [index, search, quoted]
  if (size === undefined && names.every((name) => isStandard(name, key))) return undefined
  const [atIndex, atSearch, atQuote] = names.map((name) => analysis.analyzer(name))
  if (!atIndex || !atSearch || !atQuote) return undefined
  const cut = JSON.stringify([names, key])
  if (size === undefined) return { key: cut, index: atIndex, search: atSearch, quoted: atQuote }
  const prefixes = parameters[gramPrefixes] === true
  const grams = (analyzer: Analyzer, atWrite: boolean) => withGrams(analyzer, Number(size), prefixes && atWrite)
  return {
    key: JSON.stringify([cut, size, prefixes]),
    index: grams(atIndex, true),
    search: grams(atSearch, false),
    quoted: grams(atQuote, false),
  }
}

/** An analyzer whose words are several at a time, and the beginnings of these. */
function withGrams(analyzer: Analyzer, size: number, prefixes: boolean): Analyzer {
  const grams = prefixes ? beginningsOfRows(size) : rowsOfWords(size)
  return { ...analyzer, filters: [...analyzer.filters, ...grams] }
}

/** `default_search` counts where the field names no analyzer. */
function searchDefault(analysis: Analysis, named: string | undefined): string | undefined {
  return named === undefined && analysis.analyzer('default_search') !== undefined ? 'default_search' : undefined
}

function isStandard(name: string, key: string): boolean {
  return (name === 'standard' || name === 'default') && !key.includes(`"analysis.analyzer.${name}.`)
}

/** The normal form of a keyword by the index's own normalizer of that name; undefined when there is none. */
export function normalizerOf(name: string, settings: IndexSettings): ((text: string) => string) | undefined {
  const normalizer = analysisOf(settings).normalizer(name)
  if (!normalizer) return undefined
  return (text) =>
    analyze(normalizer, text)
      .map((token) => token.text)
      .join('')
}

/** How a `completion` field compares texts: as the words of its analyzer, which is `simple` unless the mapping says another. */
export function completionForm(
  parameters: Readonly<Record<string, unknown>>,
  settings: IndexSettings,
): (text: string) => string {
  const analyzer = analysisOf(settings).analyzer(String(parameters['analyzer'] ?? 'simple'))
  const separator = parameters['preserve_separators'] === false ? '' : ' '
  return (text) =>
    analyzer
      ? analyze(analyzer, text)
          .map((token) => token.text)
          .join(separator)
      : text
}

/** Refuses analyzers and normalizers that the index does not have. Throws `mapper_parsing_exception`. */
export function checkAnalyzers(mapping: Mapping, settings: IndexSettings): void {
  const visit = (properties: Mapping['properties']): void => {
    for (const [name, field] of Object.entries(properties ?? {})) {
      checkField(name, field, settings)
      visit(field.properties)
      visit(field.fields)
    }
  }
  visit(mapping.properties)
}

function checkField(name: string, field: FieldMapping, settings: IndexSettings): void {
  if (textTypes.has(field.type ?? ''))
    for (const parameter of analyzerParameters) {
      const named = field[parameter]
      if (named !== undefined && named !== null && !analysisOf(settings).analyzer(String(named)))
        throw refused(`analyzer [${String(named)}] has not been configured in mappings`)
    }
  const normalizer = field['normalizer']
  if (normalizer === undefined || normalizer === null || normalizer === 'default') return
  if (!analysisOf(settings).normalizer(String(normalizer)))
    throw refused(`normalizer [${String(normalizer)}] not found for field [${name}]`)
}

function refused(reason: string): AppError {
  return new AppError(searchErrors.mapper_parsing_exception, `Failed to parse mapping: ${reason}`, {
    cause: new AppError(searchErrors.illegal_argument_exception, reason),
  })
}
