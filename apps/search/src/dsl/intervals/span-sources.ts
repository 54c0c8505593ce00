import { z } from 'zod'
import { illegalArgument, parsingError, readStrictly } from '../../refusals/refuse.ts'
import type { LowerContext } from '../define-query.ts'
import { fuzzyEdits } from '../shapes/fuzziness.ts'
import { oneField } from '../shapes/one-field.ts'
import { clauseParameters, flag, scalar, whole } from '../shapes/scalars.ts'
import { columnWord } from '../shapes/words.ts'
import type { Source } from './find-intervals.ts'
import { intervalField, pathsOf, patternSource, wordSource } from './interval-query.ts'

const rewriting = { rewrite: z.string().optional(), case_insensitive: flag.optional() }
const word = z.strictObject({ value: scalar.optional(), term: scalar.optional(), ...clauseParameters })
const pattern = z.strictObject({
  value: z.string().optional(),
  wildcard: z.string().optional(),
  fuzziness: z.union([z.string(), z.number()]).optional(),
  prefix_length: whole.optional(),
  max_expansions: whole.optional(),
  transpositions: flag.optional(),
  flags: z.union([z.string(), z.number()]).optional(),
  max_determinized_states: whole.optional(),
  ...rewriting,
  ...clauseParameters,
})
const clause = z.unknown()

/** The bodies of the span queries, by their wire names. */
const spanSchemas = {
  span_term: oneField('span_term', word, 'value'),
  span_near: z.strictObject({
    clauses: z.array(clause),
    slop: whole.optional(),
    in_order: flag.optional(),
    ...clauseParameters,
  }),
  span_or: z.strictObject({ clauses: z.array(clause), ...clauseParameters }),
  span_first: z.strictObject({ match: clause, end: whole, ...clauseParameters }),
  span_not: z.strictObject({
    include: clause,
    exclude: clause,
    pre: whole.optional(),
    post: whole.optional(),
    dist: whole.optional(),
    ...clauseParameters,
  }),
  span_containing: z.strictObject({ big: clause, little: clause, ...clauseParameters }),
  span_within: z.strictObject({ big: clause, little: clause, ...clauseParameters }),
  span_multi: z.strictObject({ match: z.record(z.string(), z.unknown()), ...clauseParameters }),
} as const
/** The wire name of a span query. */
export type SpanName = keyof typeof spanSchemas

/** Reads a span query as intervals; undefined when no field of it is mapped. Throws `parsing_exception`. */
export function spanSource(name: SpanName, body: unknown, context: LowerContext): Source | undefined {
  const inner = (given: unknown, part: string) => innerSource(given, name, part, context)
  switch (name) {
    case 'span_term':
      return ofWord(readStrictly(spanSchemas.span_term, body, name, 'query'), context)
    case 'span_multi':
      return ofPattern(readStrictly(spanSchemas.span_multi, body, name, 'query').match, context)
    case 'span_near': {
      const { clauses, slop = 0, in_order: ordered = true } = readStrictly(spanSchemas.span_near, body, name, 'query')
      if (clauses.length === 0) throw parsingError('span_near must include [clauses]')
      const of = clauses.map((each) => inner(each, 'clauses'))
      const known = of.filter((each) => each !== undefined)
      if (known.length < of.length) return undefined
      checkOneField(known)
      return { op: 'all', of: known, order: ordered ? 'ordered' : 'unordered', gapsMax: slop }
    }
    case 'span_or': {
      const { clauses } = readStrictly(spanSchemas.span_or, body, name, 'query')
      if (clauses.length === 0) throw parsingError('span_or must include [clauses]')
      return { op: 'any', of: clauses.flatMap((each) => inner(each, 'clauses') ?? []) }
    }
    case 'span_first': {
      const { match, end } = readStrictly(spanSchemas.span_first, body, name, 'query')
      const of = inner(match, 'match')
      return of && { op: 'first', of, end }
    }
    case 'span_not':
      return notNear(readStrictly(spanSchemas.span_not, body, name, 'query'), inner)
    case 'span_containing':
    case 'span_within': {
      const { big, little } = readStrictly(spanSchemas[name], body, name, 'query')
      const [whole, part] = [inner(big, 'big'), inner(little, 'little')]
      if (!whole || !part) return undefined
      return name === 'span_containing'
        ? { op: 'related', of: whole, to: part, relation: 'containing', not: false }
        : { op: 'related', of: part, to: whole, relation: 'contained_by', not: false }
    }
  }
}

/** Refuses spans of several fields beside each other: a place is one of a single text. */
function checkOneField([first, ...others]: readonly Source[]): void {
  const path = first && pathsOf(first)[0]
  const other = others.find((each) => pathsOf(each)[0] !== path)
  if (!other) return
  const words = other.op === 'word' && other.found.op === 'tokens' ? other.found.tokens.join(' ') : 'spans'
  throw illegalArgument(`Cannot add clause ${pathsOf(other)[0]}:${words} to SpanNearQuery for field ${path}`)
}

function notNear(
  { include, exclude, pre = 0, post = 0, dist }: z.infer<typeof spanSchemas.span_not>,
  inner: (given: unknown, part: string) => Source | undefined,
): Source | undefined {
  if (dist !== undefined && (pre > 0 || post > 0))
    throw illegalArgument('span_not can either use [dist] or [pre] & [post] (or none)')
  const [of, from] = [inner(include, 'include'), inner(exclude, 'exclude')]
  if (!of || !from) return of
  return { op: 'apart', of, from, pre: dist ?? pre, post: dist ?? post }
}

function innerSource(given: unknown, outer: SpanName, part: string, context: LowerContext): Source | undefined {
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    throw parsingError(`[${outer}] query malformed, no start_object in [${part}]`)
  const [first] = Object.entries(given)
  const name = first?.[0] ?? ''
  if (!first || !Object.hasOwn(spanSchemas, name)) throw parsingError(`${outer} [${part}] must be of type span query`)
  return spanSource(name as SpanName, first[1], context)
}

function ofWord(
  { field: path, parameters }: z.infer<typeof spanSchemas.span_term>,
  context: LowerContext,
): Source | undefined {
  const field = intervalField(path, context, 'span')
  const given = parameters.value ?? parameters.term
  if (given === undefined) throw parsingError('[span_term] query malformed, no value')
  return field && wordSource(field, columnWord(field, String(given)))
}

const patternKinds = ['prefix', 'wildcard', 'regexp', 'fuzzy'] as const

function ofPattern(match: Readonly<Record<string, unknown>>, context: LowerContext): Source | undefined {
  const [first] = Object.entries(match)
  const kind = patternKinds.find((each) => each === first?.[0])
  if (!first || !kind) throw parsingError('[span_multi] [match] must be of type multi term query')
  const read = readStrictly(oneField(kind, pattern, 'value'), first[1], kind, 'query')
  const field = intervalField(read.field, context, 'span prefix')
  if (!field) return undefined
  const {
    value,
    wildcard,
    fuzziness = 'AUTO',
    prefix_length: prefixLength = 0,
    case_insensitive: any = false,
  } = read.parameters
  const text = value ?? wildcard ?? ''
  if (kind !== 'fuzzy') return patternSource(field, { kind, text, caseInsensitive: any }, context)
  const edits = fuzzyEdits(fuzziness, text)
  return patternSource(
    field,
    { kind, text: columnWord(field, text), caseInsensitive: false, edits, prefixLength },
    context,
  )
}
