import { z } from 'zod'
import { analysisOf } from '../../analysis/analysis.ts'
import { Double } from '../../json/print-json.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { analyze } from '../../tokens/token.ts'
import { decimal, flag, whole } from '../shapes/scalars.ts'
import { candidateParameters, candidatesFor } from './candidates.ts'
import { defineSuggester, type SuggestRun } from './define-suggester.ts'
import { cutText, type Dictionary, frequencies, sizeOf, suggestField } from './term-dictionary.ts'

/** Words of a phrase that are looked at, at most. */
const tokenLimitDefault = 10
/** Phrases that are kept while one word after the other is put to it. */
const beamWidth = 50
/** Pairs of words that are asked for at once. */
const pairsMax = 50_000
/** How much less a pair of words weighs that was never seen. */
const backoffDefault = 0.4

const generator = z.strictObject({
  ...candidateParameters,
  pre_filter: z.string().optional(),
  post_filter: z.string().optional(),
})
const smoothing = z.union([
  z.strictObject({ stupid_backoff: z.strictObject({ discount: decimal.optional() }) }),
  z.strictObject({ laplace: z.strictObject({ alpha: decimal.optional() }) }),
])
const schema = z.strictObject({
  field: z.string(),
  size: whole.optional(),
  shard_size: whole.optional(),
  gram_size: whole.pipe(z.number().positive()).optional(),
  real_word_error_likelihood: decimal.optional(),
  confidence: decimal.optional(),
  max_errors: decimal.optional(),
  separator: z.string().optional(),
  analyzer: z.string().optional(),
  token_limit: whole.optional(),
  force_unigrams: flag.optional(),
  highlight: z.strictObject({ pre_tag: z.string(), post_tag: z.string() }).optional(),
  smoothing: smoothing.optional(),
  direct_generator: z.array(generator).optional(),
})
type Body = z.infer<typeof schema>
type Generator = z.infer<typeof generator>

interface Choice {
  readonly text: string
  readonly isOwn: boolean
  /** How likely the given word was meant by this one, 0 to 1. */
  readonly likelihood: number
}

interface Phrase {
  readonly words: readonly Choice[]
  /** Logarithm. */
  readonly score: number
}

/** `phrase`: the text with words put right, weighed by how often words stand side by side. */
export const phrase = defineSuggester({
  name: 'phrase',
  schema,
  touch(body, context) {
    for (const field of [body.field, ...(body.direct_generator ?? []).map((each) => each.field)])
      suggestField(field, context)
  },
  async suggest(body, { text }, run) {
    const words = singleWords(text, body, run).slice(0, body.token_limit ?? tokenLimitDefault)
    const entry = { text, offset: 0, length: text.length }
    if (words.length === 0) return [{ ...entry, options: [] }]
    const choices: Choice[][] = []
    for (const word of words) choices.push(await choicesFor(word, body, run))
    const model = await modelOf(choices, body, run)
    const own = scored(
      choices.map((each) => each.find(({ isOwn }) => isOwn) ?? { text: '', isOwn: true, likelihood: 1 }),
      model,
    )
    const errorsMax =
      (body.max_errors ?? 1) >= 1
        ? (body.max_errors ?? 1)
        : Math.max(1, Math.round((body.max_errors ?? 1) * words.length))
    const found = likeliest(choices, model, errorsMax)
      .filter(({ words: chosen }) => chosen.some(({ isOwn }) => !isOwn))
      .filter(({ score }) => Math.exp(score) > Math.exp(own) * (body.confidence ?? 1))
    return [{ ...entry, options: found.slice(0, body.size ?? 5).map((each) => shown(each, body)) }]
  },
})

/** The single words of a text, though the field's analyzer may put several together. */
function singleWords(text: string, body: Body, run: SuggestRun): string[] {
  const tokens = cutText(text, body.field, body.analyzer, run).filter(
    (token) => !token.text.includes(separatorOf(body)),
  )
  if (tokens.length > 0 || body.force_unigrams !== true) return tokens.map((token) => token.text)
  return cutText(text, body.field, 'standard', run).map((token) => token.text)
}

function separatorOf({ separator = ' ' }: Body): string {
  return separator
}

async function choicesFor(word: string, body: Body, run: SuggestRun): Promise<Choice[]> {
  const own: Choice = { text: word, isOwn: true, likelihood: body.real_word_error_likelihood ?? 0.95 }
  const generators: readonly Generator[] = body.direct_generator ?? [{ field: body.field }]
  const found = new Map<string, Choice>()
  for (const each of generators) {
    const { pre_filter: before, post_filter: after, ...options } = each
    const asked = filtered(word, before, run)
    const candidates = await candidatesFor(
      asked,
      { suggest_mode: 'always', max_term_freq: Number.MAX_SAFE_INTEGER, ...options },
      run,
    )
    for (const { text, score } of candidates) {
      const meant = filtered(text, after, run)
      if (meant !== word && !meant.includes(separatorOf(body)) && (found.get(meant)?.likelihood ?? 0) < score)
        found.set(meant, { text: meant, isOwn: false, likelihood: score })
    }
  }
  return [own, ...found.values()]
}

/** A word through an analyzer of the index. */
function filtered(word: string, name: string | undefined, { rows }: SuggestRun): string {
  if (name === undefined) return word
  const analyzer = rows[0]?.context.analyzer(name) ?? analysisOf({}).analyzer(name)
  if (!analyzer) throw illegalArgument(`analyzer [${name}] doesn't exists`)
  return analyze(analyzer, word)[0]?.text ?? word
}

interface Model {
  readonly size: Dictionary
  readonly counts: ReadonlyMap<string, number>
  readonly pairs: boolean
  readonly separator: string
  readonly smoothing: Body['smoothing']
}

/** How often the words, and their pairs where the field has such, are there. */
async function modelOf(choices: readonly (readonly Choice[])[], body: Body, run: SuggestRun): Promise<Model> {
  const separator = separatorOf(body)
  const pairs = (body.gram_size ?? gramSizeOf(body, run)) > 1
  const words = choices.flat().map(({ text }) => text)
  if (pairs) checkPairs(choices)
  const sides = pairs
    ? choices
        .slice(1)
        .flatMap((second, at) =>
          (choices[at] ?? []).flatMap((a) => second.map((b) => `${a.text}${separator}${b.text}`)),
        )
    : []
  const counts = await frequencies([...words, ...sides], body.field, run)
  return { size: await sizeOf(body.field, run), counts, pairs, separator, smoothing: body.smoothing }
}

function checkPairs(choices: readonly (readonly Choice[])[]): void {
  const count = choices.reduce((sum, second, at) => sum + second.length * (choices[at - 1]?.length ?? 0), 0)
  if (count > pairsMax)
    throw illegalArgument(
      `[phrase] the candidates of words side by side make [${count}] pairs, which is more than the allowed maximum of [${pairsMax}]`,
    )
}

/** How many words the field's analyzer puts together. */
function gramSizeOf(body: Body, run: SuggestRun): number {
  const words = run.rows[0]?.context.field(body.field)?.words
  if (!words) return 1
  return Math.max(1, ...analyze(words.index, 'a b c d').map(({ text }) => text.split(separatorOf(body)).length))
}

/** The logarithm of how likely one word follows another. */
function following(before: Choice | undefined, word: Choice, model: Model): number {
  const { counts, size, smoothing: given } = model
  const alone = counts.get(word.text) ?? 0
  const vocabulary = Math.max(1, size.words)
  if (given && 'laplace' in given) {
    const { alpha = 0.5 } = given.laplace
    const pair = before && model.pairs ? (counts.get(`${before.text}${model.separator}${word.text}`) ?? 0) : alone
    const base = before && model.pairs ? (counts.get(before.text) ?? 0) : vocabulary
    return Math.log((pair + alpha) / (base + alpha * vocabulary))
  }
  const discount = given?.stupid_backoff.discount ?? backoffDefault
  // A word that was never seen is less likely than any that was.
  const single = (alone === 0 ? 0.1 : alone) / vocabulary
  if (!before || !model.pairs) return Math.log(single)
  const pair = counts.get(`${before.text}${model.separator}${word.text}`) ?? 0
  return Math.log(pair > 0 ? pair / Math.max(1, counts.get(before.text) ?? 1) : discount * single)
}

function scored(words: readonly Choice[], model: Model): number {
  return words.reduce((sum, word, at) => sum + Math.log(word.likelihood) + following(words[at - 1], word, model), 0)
}

/** The likeliest phrases of one choice for each word, with at most so many other words. */
function likeliest(choices: readonly (readonly Choice[])[], model: Model, errorsMax: number): Phrase[] {
  let phrases: Phrase[] = [{ words: [], score: 0 }]
  for (const options of choices) {
    phrases = phrases
      .flatMap(({ words, score }) =>
        options.map((word) => ({
          words: [...words, word],
          score: score + Math.log(word.likelihood) + following(words.at(-1), word, model),
        })),
      )
      .filter(({ words }) => words.filter(({ isOwn }) => !isOwn).length <= errorsMax)
      .sort((a, b) => b.score - a.score)
      .slice(0, beamWidth)
  }
  return phrases
}

function shown({ words, score }: Phrase, body: Body): unknown {
  const separator = separatorOf(body)
  const { highlight } = body
  const marked = highlight && marks(words, highlight.pre_tag, highlight.post_tag, separator)
  return {
    text: words.map(({ text }) => text).join(separator),
    ...(marked === undefined ? {} : { highlighted: marked }),
    score: new Double(Math.exp(score / words.length)),
  }
}

/** Words that were changed side by side are marked together. */
function marks(words: readonly Choice[], open: string, close: string, separator: string): string {
  return words
    .map(({ text, isOwn }, at) => {
      const begins = !isOwn && words[at - 1]?.isOwn !== false
      const ends = !isOwn && words[at + 1]?.isOwn !== false
      return `${begins ? open : ''}${text}${ends ? close : ''}`
    })
    .join(separator)
}
