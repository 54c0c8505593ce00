import { editDistance } from '@logstack/spelling'
import { z } from 'zod'
import { decimal, whole } from '../shapes/scalars.ts'
import type { SuggestRun } from './define-suggester.ts'
import { jaroWinkler, ngramLikeness } from './likeness.ts'
import { frequencies, sizeOf, wordsNear } from './term-dictionary.ts'

/** Parameters of what finds words near others: of the term suggester and of the phrase suggester's generators. */
export const candidateParameters = {
  field: z.string(),
  size: whole.optional(),
  shard_size: whole.optional(),
  suggest_mode: z.enum(['missing', 'popular', 'always']).optional(),
  accuracy: decimal.optional(),
  max_edits: whole.pipe(z.number().min(1).max(2)).optional(),
  max_inspections: whole.optional(),
  max_term_freq: decimal.optional(),
  prefix_length: whole.optional(),
  min_word_length: whole.optional(),
  min_doc_freq: decimal.optional(),
  sort: z.enum(['score', 'frequency']).optional(),
  string_distance: z.enum(['internal', 'damerau_levenshtein', 'levenshtein', 'jaro_winkler', 'ngram']).optional(),
} as const
const schema = z.object(candidateParameters)
type CandidateOptions = z.infer<typeof schema>

/** A word that could be meant, how like it is to the given one (0 to 1) and how many documents hold it. */
interface Candidate {
  readonly text: string
  readonly score: number
  readonly freq: number
}

/** Lucene's defaults. */
const defaults = {
  size: 5,
  accuracy: 0.5,
  edits: 2,
  prefixLength: 1,
  wordLengthMin: 4,
  termFrequencyMax: 0.01,
} as const

/** The words of a field that could be meant by another, best first. */
export async function candidatesFor(word: string, options: CandidateOptions, run: SuggestRun): Promise<Candidate[]> {
  const { suggest_mode: mode = 'missing', size = defaults.size, accuracy = defaults.accuracy } = options
  const { max_edits: edits = defaults.edits, prefix_length: prefixLength = defaults.prefixLength } = options
  if ([...word].length < (options.min_word_length ?? defaults.wordLengthMin)) return []
  const own = (await frequencies([word], options.field, run)).get(word) ?? 0
  if (mode === 'missing' && own > 0) return []
  const { documents } = await sizeOf(options.field, run)
  const share = (given: number) => (given >= 1 ? given : Math.ceil(given * documents))
  if (own > share(options.max_term_freq ?? defaults.termFrequencyMax) && own > 1) return []
  const leastDocuments = options.min_doc_freq ?? 0
  const found: Candidate[] = []
  for (const [text, freq] of await wordsNear(word, { edits, prefixLength }, options.field, run)) {
    const distance = editDistance(word, text, edits)
    if (text === word || distance > edits) continue
    if (freq < (leastDocuments >= 1 ? leastDocuments : leastDocuments * documents)) continue
    if (mode === 'popular' && freq <= own) continue
    const score = likeness(word, text, distance, options.string_distance)
    if (score >= accuracy) found.push({ text, score, freq })
  }
  const byScore = (a: Candidate, b: Candidate) => b.score - a.score || b.freq - a.freq
  const byFrequency = (a: Candidate, b: Candidate) => b.freq - a.freq || b.score - a.score
  const order = options.sort === 'frequency' ? byFrequency : byScore
  return found.sort((a, b) => order(a, b) || (a.text < b.text ? -1 : 1)).slice(0, size)
}

function likeness(a: string, b: string, distance: number, by: CandidateOptions['string_distance']): number {
  const [left, right] = [[...a].length, [...b].length]
  if (by === 'jaro_winkler') return jaroWinkler(a, b)
  if (by === 'ngram') return ngramLikeness(a, b)
  const longest = by === 'damerau_levenshtein' || by === 'levenshtein'
  return 1 - distance / (longest ? Math.max(left, right) : Math.min(left, right))
}
