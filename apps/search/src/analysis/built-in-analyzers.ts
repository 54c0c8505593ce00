import { watchPattern } from '../patterns/pattern-watch.ts'
import type { FilterTokens } from '../tokens/token.ts'
import { componentsByName, defineComponent } from './component.ts'
import { mapWords, stemWords } from './filters/map-words.ts'
import { snowballOf } from './filters/snowball.ts'
import {
  excluded,
  languageAnalyzers,
  lowercase,
  standardWords,
  stop,
  type WholeAnalyzer,
} from './language-analyzers.ts'
import { javaPattern } from './options.ts'
import { porterStem } from './porter.ts'
import { keywordTokenizer } from './tokenizers/keyword.ts'
import { lowercaseTokenizer } from './tokenizers/lowercase.ts'
import { piecesBetween } from './tokenizers/spans.ts'
import { standardTokenizer } from './tokenizers/standard.ts'
import { whitespaceTokenizer } from './tokenizers/whitespace.ts'

const none = () => undefined

const standard = defineComponent<WholeAnalyzer>({
  name: 'standard',
  create: (options) => ({
    tokenizer: { name: 'standard', work: standardTokenizer.create(options, none) },
    filters: [lowercase, ...stop(options, '_none_')],
  }),
})

const simple = defineComponent<WholeAnalyzer>({
  name: 'simple',
  create: (options) => ({
    tokenizer: { name: 'lowercase', work: lowercaseTokenizer.create(options, none) },
    filters: [],
  }),
})

const whitespace = defineComponent<WholeAnalyzer>({
  name: 'whitespace',
  create: (options) => ({
    tokenizer: { name: 'whitespace', work: whitespaceTokenizer.create(options, none) },
    filters: [],
  }),
})

const keyword = defineComponent<WholeAnalyzer>({
  name: 'keyword',
  create: (options) => ({ tokenizer: { name: 'keyword', work: keywordTokenizer.create(options, none) }, filters: [] }),
})

const stopAnalyzer = defineComponent<WholeAnalyzer>({
  name: 'stop',
  create: (options) => ({
    tokenizer: { name: 'lowercase', work: lowercaseTokenizer.create(options, none) },
    filters: stop(options, '_english_'),
  }),
})

const pattern = defineComponent<WholeAnalyzer>({
  name: 'pattern',
  create(options) {
    const separator = javaPattern(options.text('pattern', '[^\\p{L}\\p{N}_]+'), options.text('flags', ''))
    const watch = watchPattern(separator)
    return {
      tokenizer: { name: 'pattern', work: (text) => watch(text, () => piecesBetween(text, separator)) },
      filters: [...(options.flag('lowercase', true) ? [lowercase] : []), ...stop(options, '_none_')],
    }
  },
})

const english = defineComponent<WholeAnalyzer>({
  name: 'english',
  create: (options) => ({
    tokenizer: standardWords(),
    filters: [
      { name: 'english_possessive_stemmer', work: mapWords((word) => word.replace(/['’＇][sS]$/u, '')) },
      lowercase,
      ...stop(options, '_english_'),
      ...excluded(options),
      { name: 'porter_stem', work: stemWords(porterStem) },
    ],
  }),
})

/** The languages whose stop words the `snowball` analyzer leaves out by itself. */
const stoppedLanguages = new Set(['English', 'Dutch', 'German', 'French'])

const snowball = defineComponent<WholeAnalyzer>({
  name: 'snowball',
  create(options) {
    const language = options.text('language', 'English')
    return {
      tokenizer: standardWords(),
      filters: [
        lowercase,
        ...stop(options, stoppedLanguages.has(language) ? `_${language.toLowerCase()}_` : '_none_'),
        { name: 'snowball', work: stemWords(snowballOf(language)) },
      ],
    }
  },
})

const fingerprint = defineComponent<WholeAnalyzer>({
  name: 'fingerprint',
  create(options) {
    const separator = options.text('separator', ' ')
    const longest = options.whole('max_output_size', 255)
    const join: FilterTokens = (tokens) => {
      const text = [...new Set(tokens.map((token) => token.text))].sort().join(separator)
      const end = tokens.at(-1)?.end ?? 0
      return text === '' || text.length > longest ? [] : [{ text, start: 0, end, position: 0, type: 'fingerprint' }]
    }
    return {
      tokenizer: standardWords(),
      filters: [lowercase, ...stop(options, '_none_'), { name: 'fingerprint', work: join }],
    }
  },
})

/** Every analyzer that needs no definition, by its wire name. */
export const builtInAnalyzers = componentsByName([
  standard,
  simple,
  whitespace,
  keyword,
  stopAnalyzer,
  pattern,
  english,
  snowball,
  fingerprint,
  ...languageAnalyzers,
])
