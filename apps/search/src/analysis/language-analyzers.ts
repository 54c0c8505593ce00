import type { FilterTokens, NamedPart, Tokenize } from '../tokens/token.ts'
import { type Component, defineComponent } from './component.ts'
import { cjkBigramFilter } from './filters/cjk-bigram.ts'
import { cjkWidthFilter } from './filters/cjk-width.ts'
import { decimalDigitFilter } from './filters/decimal-digit.ts'
import { elisionFilter } from './filters/elision.ts'
import { keepWords, mapWords, stemWords } from './filters/map-words.ts'
import {
  lightArabic,
  lightGerman,
  lightHindi,
  lightItalian,
  lightPortuguese,
  lightSpanish,
  plainPortuguese,
} from './languages/light.ts'
import { lightCzech, lightLatvian } from './languages/light-baltic-czech.ts'
import { lightBengali } from './languages/light-bengali.ts'
import { lightFrench } from './languages/light-french.ts'
import {
  greekLowerCase,
  irishLowerCase,
  normalizations,
  romanianLetters,
  turkishLowerCase,
} from './languages/normalizations.ts'
import { type Stem, snowballStemmers } from './languages/snowball.ts'
import { Options } from './options.ts'
import { stopwordsOf } from './stopwords.ts'
import { standardTokenizer } from './tokenizers/standard.ts'
import { thaiTokenizer } from './tokenizers/thai.ts'

/** The works of an analyzer that has no parts of its own name. */
export interface WholeAnalyzer {
  readonly tokenizer: NamedPart<Tokenize>
  readonly filters: readonly NamedPart<FilterTokens>[]
}

const none = () => undefined
const changes = (name: string, change: (word: string) => string): NamedPart<FilterTokens> => ({
  name,
  work: mapWords(change),
})

/** Words in lower case. */
export const lowercase: NamedPart<FilterTokens> = changes('lowercase', (word) => word.toLowerCase())

/** Leaves out the words of `stopwords`, or those that are usual. */
export function stop(options: Options, otherwise: string): NamedPart<FilterTokens>[] {
  const words = stopwordsOf(options, otherwise)
  return words.size === 0 ? [] : [{ name: 'stop', work: keepWords((word) => !words.has(word)) }]
}

/** Marks the words that `stem_exclusion` names, so that the stemmer leaves them. */
export function excluded(options: Options): NamedPart<FilterTokens>[] {
  const words = new Set(options.list('stem_exclusion') ?? [])
  if (words.size === 0) return []
  return [
    {
      name: 'keyword_marker',
      work: (tokens) => tokens.map((token) => (words.has(token.text) ? { ...token, keyword: true } : token)),
    },
  ]
}

/** Elasticsearch's standard tokenizer without options. */
export function standardWords(): NamedPart<Tokenize> {
  return { name: 'standard', work: standardTokenizer.create(new Options({}), none) }
}

/** What of a language is not the usual way: standard words, lower case, no stop words, stemmed. */
interface Language {
  readonly name: string
  readonly stem: Stem
  /** Before stop words are left out; absent: lower case. */
  readonly before?: readonly NamedPart<FilterTokens>[]
  /** After stop words were left out. */
  readonly after?: readonly NamedPart<FilterTokens>[]
}

function elision(articles: string): NamedPart<FilterTokens> {
  return { name: 'elision', work: elisionFilter.create(new Options({ articles }), none) }
}

const digits: NamedPart<FilterTokens> = {
  name: 'decimal_digit',
  work: decimalDigitFilter.create(new Options({}), none),
}
const normalization = (name: keyof typeof normalizations) => changes(name, normalizations[name])
const snowball = (name: string): Language => {
  const stem = snowballStemmers[name]
  if (!stem) throw new Error(`BUG: no stemmer of [${name}]`)
  return { name, stem }
}

const italianArticles = 'c,l,all,dall,dell,nell,sull,coll,pell,gl,agl,dagl,degl,negl,sugl,un,m,t,s,v,d'
const frenchArticles = 'l,m,t,qu,n,s,j,d,c,jusqu,quoiqu,lorsqu,puisqu'

const languages: readonly Language[] = [
  { name: 'arabic', stem: lightArabic, before: [lowercase, digits], after: [normalization('arabic_normalization')] },
  snowball('armenian'),
  {
    name: 'bengali',
    stem: lightBengali,
    before: [lowercase, digits, normalization('bengali_normalization')],
  },
  { name: 'brazilian', stem: plainPortuguese },
  snowball('bulgarian'),
  { name: 'czech', stem: lightCzech },
  snowball('danish'),
  snowball('dutch'),
  snowball('estonian'),
  snowball('finnish'),
  { name: 'french', stem: lightFrench, before: [elision(frenchArticles), lowercase] },
  { name: 'german', stem: lightGerman, after: [normalization('german_normalization')] },
  { ...snowball('greek'), before: [changes('lowercase', greekLowerCase)] },
  { name: 'hindi', stem: lightHindi, before: [lowercase, digits], after: [normalization('hindi_normalization')] },
  snowball('hungarian'),
  snowball('indonesian'),
  { ...snowball('irish'), before: [elision('d,m,b'), changes('lowercase', irishLowerCase)] },
  { name: 'italian', stem: lightItalian, before: [elision(italianArticles), lowercase] },
  { name: 'latvian', stem: lightLatvian },
  snowball('lithuanian'),
  snowball('norwegian'),
  { name: 'portuguese', stem: lightPortuguese },
  { ...snowball('romanian'), before: [lowercase, changes('romanian_normalization', romanianLetters)] },
  snowball('russian'),
  { ...snowball('serbian') },
  { name: 'spanish', stem: lightSpanish },
  snowball('swedish'),
  {
    ...snowball('turkish'),
    before: [changes('apostrophe', (word) => word.replace(/['’].*$/u, '')), changes('lowercase', turkishLowerCase)],
  },
]

function languageAnalyzer({ name, stem, before = [lowercase], after = [] }: Language): Component<WholeAnalyzer> {
  return defineComponent({
    name,
    create: (options) => ({
      tokenizer: standardWords(),
      filters: [
        ...before,
        ...stop(options, `_${name}_`),
        ...excluded(options),
        ...after,
        { name: 'stemmer', work: stemWords(stem) },
      ],
    }),
  })
}

/** Chinese, Japanese and Korean in pairs of letters. */
const cjk = defineComponent<WholeAnalyzer>({
  name: 'cjk',
  create: (options) => ({
    tokenizer: standardWords(),
    filters: [
      { name: 'cjk_width', work: cjkWidthFilter.create(new Options({}), none) },
      lowercase,
      { name: 'cjk_bigram', work: cjkBigramFilter.create(new Options({}), none) },
      ...stop(options, '_english_'),
    ],
  }),
})

/** Thai, whose words follow each other without a space; no words are left out unless they are named. */
const thai = defineComponent<WholeAnalyzer>({
  name: 'thai',
  create: (options) => ({
    tokenizer: { name: 'thai', work: thaiTokenizer.create(new Options({}), none) },
    filters: [lowercase, digits, ...stop(options, '_none_')],
  }),
})

/** Persian, whose words may be joined by a space of no width; endings stay. */
const persian = defineComponent<WholeAnalyzer>({
  name: 'persian',
  create(options) {
    const { name, work } = standardWords()
    const spelt = [normalization('arabic_normalization'), normalization('persian_normalization')]
    return {
      tokenizer: { name, work: (text) => work(text.replaceAll('\u200c', ' ')) },
      filters: [lowercase, digits, ...spelt, ...stopSpelt(options, '_persian_', spelt)],
    }
  },
})

/** Leaves out stop words as the filters before write them. */
function stopSpelt(options: Options, otherwise: string, spelt: readonly NamedPart<FilterTokens>[]) {
  const write = (word: string) => {
    let tokens: ReturnType<FilterTokens> = [{ text: word, start: 0, end: word.length, position: 0, type: 'word' }]
    for (const { work } of spelt) tokens = work(tokens)
    return tokens[0]?.text ?? word
  }
  const words = new Set([...stopwordsOf(options, otherwise)].map(write))
  return words.size === 0 ? [] : [{ name: 'stop', work: keepWords((word) => !words.has(word)) }]
}

/** The analyzers of languages other than English. */
export const languageAnalyzers: readonly Component<WholeAnalyzer>[] = [
  ...languages.map(languageAnalyzer),
  cjk,
  persian,
  thai,
]
