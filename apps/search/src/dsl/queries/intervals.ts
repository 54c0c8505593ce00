import { z } from 'zod'
import { compileIntervalScript } from '../../painless/interval-script.ts'
import { didYouMean } from '../../refusals/did-you-mean.ts'
import { parsingError, readStrictly } from '../../refusals/refuse.ts'
import { noScore, type Score } from '../../scores/score.ts'
import { defineQuery, type LowerContext } from '../define-query.ts'
import { intervalFrequency, type Relation, type Source } from '../intervals/find-intervals.ts'
import {
  frequencyField,
  intervalField,
  type PlacesAsked,
  patternSource,
  placesPredicate,
  textSources,
} from '../intervals/interval-query.ts'
import { fuzziness, fuzzyEdits } from '../shapes/fuzziness.ts'
import { describedBy } from '../shapes/one-field.ts'
import { flag, whole } from '../shapes/scalars.ts'
import { columnWord } from '../shapes/words.ts'

const relations: readonly Relation[] = ['after', 'before', 'contained_by', 'containing', 'overlapping']
const negated: Readonly<Record<string, Relation>> = {
  not_contained_by: 'contained_by',
  not_containing: 'containing',
  not_overlapping: 'overlapping',
}
const filter = z.record(z.string(), z.unknown()).optional()
/** `mode` is how OpenSearch writes `ordered`. */
const ordering = {
  ordered: flag.optional(),
  mode: z.enum(['ordered', 'unordered', 'unordered_no_overlap']).optional(),
  max_gaps: whole.optional(),
  filter,
}
const useField = { analyzer: z.string().optional(), use_field: z.string().optional() }
const sources = {
  match: z.strictObject({ query: z.string(), ...ordering, ...useField }),
  all_of: z.strictObject({ intervals: z.array(z.unknown()), ...ordering }),
  any_of: z.strictObject({ intervals: z.array(z.unknown()), filter }),
  prefix: z.strictObject({ prefix: z.string(), ...useField }),
  wildcard: z.strictObject({ pattern: z.string(), case_insensitive: flag.optional(), ...useField }),
  regexp: z.strictObject({ pattern: z.string(), case_insensitive: flag.optional(), ...useField }),
  fuzzy: z.strictObject({
    term: z.string(),
    fuzziness,
    prefix_length: whole.optional(),
    transpositions: flag.optional(),
    ...useField,
  }),
}

const read = z.record(z.string(), z.unknown()).transform((given, context) => {
  const { boost, _name, ...fields } = given
  const [first, second] = Object.entries(fields)
  if (!first || second) {
    context.addIssue({ code: 'custom', message: `expected one field, but found ${Object.keys(fields).length}` })
    return z.NEVER
  }
  return { field: first[0], rule: first[1] }
})
const schema = describedBy(read, z.union(Object.values(sources)))

/** `intervals`: words in the order and nearness that rules say. */
export const intervals = defineQuery({
  name: 'intervals',
  schema,
  lower({ field: path, rule }, context) {
    return placesPredicate(placesAsked(path, rule, context), context)
  },
  score({ field: path, rule }, context): Score {
    const asked = placesAsked(path, rule, context)
    return asked.source ? { op: 'saturated', frequency: frequencyField(asked, context), boost: 1 } : noScore
  },
})

function placesAsked(path: string, rule: unknown, context: LowerContext): PlacesAsked {
  const { boost: _boost, _name, ...rules } = objectOf(rule)
  const key = `intervals ${path} ${JSON.stringify(rules)}`
  return { source: readSource(rules, { path, context }), key, frequency: intervalFrequency }
}

interface Asked {
  readonly path: string
  readonly context: LowerContext
}

function objectOf(given: unknown): Readonly<Record<string, unknown>> {
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    throw parsingError('[intervals] expected [START_OBJECT] for a rule')
  return given as Readonly<Record<string, unknown>>
}

/** Reads one rule; undefined when its field is not mapped. */
function readSource(given: unknown, asked: Asked): Source | undefined {
  const [first, second] = Object.entries(objectOf(given))
  if (!first) throw parsingError('Received empty interval source')
  if (second) throw parsingError(`Only one interval rule can be specified, found [${first[0]}] and [${second[0]}]`)
  const [name, body] = first
  if (!Object.hasOwn(sources, name))
    throw parsingError(
      `Unknown interval type [${name}], expecting one of [match, any_of, all_of, prefix, wildcard, regexp, range]${didYouMean(name, Object.keys(sources))}`,
    )
  switch (name as keyof typeof sources) {
    case 'match': {
      const read = readStrictly(sources.match, body, 'match', 'query')
      const field = fieldFor(read.use_field, asked)
      if (!field) return undefined
      const words = textSources(field, read.query, read.analyzer, asked.context)
      return filtered(joined(words, read), read.filter, asked)
    }
    case 'all_of': {
      const read = readStrictly(sources.all_of, body, 'all_of', 'query')
      const of = read.intervals.map((each) => readSource(each, asked))
      return filtered(
        joined(
          of.filter((each) => each !== undefined),
          read,
        ),
        read.filter,
        asked,
      )
    }
    case 'any_of': {
      const read = readStrictly(sources.any_of, body, 'any_of', 'query')
      const of = read.intervals.map((each) => readSource(each, asked)).filter((each) => each !== undefined)
      return filtered({ op: 'any', of }, read.filter, asked)
    }
    default:
      return readPattern(name as 'prefix' | 'wildcard' | 'regexp' | 'fuzzy', body, asked)
  }
}

function fieldFor(used: string | undefined, { path, context }: Asked) {
  return intervalField(used ?? path, context, 'interval')
}

function joined(of: readonly Source[], read: z.infer<typeof sources.all_of> | z.infer<typeof sources.match>): Source {
  const { max_gaps: gaps = -1, ordered, mode } = read
  const order = mode ?? (ordered === true ? 'ordered' : 'unordered')
  return { op: 'all', of, order, gapsMax: gaps < 0 ? undefined : gaps }
}

function readPattern(
  name: 'prefix' | 'wildcard' | 'regexp' | 'fuzzy',
  body: unknown,
  asked: Asked,
): Source | undefined {
  const read = readStrictly<Readonly<Record<string, unknown>>>(sources[name], body, name, 'query')
  const field = fieldFor(read['use_field'] as string | undefined, asked)
  if (!field) return undefined
  const text = String(read['prefix'] ?? read['pattern'] ?? read['term'])
  const pattern = { text, caseInsensitive: read['case_insensitive'] === true }
  if (name !== 'fuzzy') return patternSource(field, { kind: name, ...pattern }, asked.context)
  const { fuzziness: given = 'AUTO', prefix_length: prefixLength = 0 } = read as z.infer<typeof sources.fuzzy>
  const edits = fuzzyEdits(given, text)
  return patternSource(
    field,
    { kind: 'fuzzy', ...pattern, text: columnWord(field, text), edits, prefixLength },
    asked.context,
  )
}

function filtered(of: Source, given: z.infer<typeof filter>, asked: Asked): Source {
  if (given === undefined) return of
  const [first, second] = Object.entries(given)
  if (!first || second) throw parsingError('[filter] expects exactly one filter')
  const [name, body] = first
  if (name === 'script') return { op: 'kept', of, when: compileIntervalScript(body) }
  const relation = negated[name] ?? relations.find((each) => each === name)
  if (!relation) throw parsingError(`Unknown filter type [${name}]`)
  const to = readSource(body, asked)
  if (!to) return of
  return { op: 'related', of, to, relation, not: Object.hasOwn(negated, name) }
}
