import { all, and, type Bounds, none, not, or, type Predicate } from '@logstack/rules'
import type { ResolvedField } from '../../model/mapping.ts'
import { boosted, type Score, scoreOf } from '../../scores/score.ts'
import type { LowerContext } from '../define-query.ts'
import { existsPredicate } from '../shapes/exists.ts'
import { fieldList } from '../shapes/field-list.ts'
import { fuzzyPredicate } from '../shapes/fuzziness.ts'
import { minimumShouldMatch } from '../shapes/minimum-should-match.ts'
import { checkRegexp, fuzzyField, patternPredicate } from '../shapes/pattern.ts'
import { rangePredicate } from '../shapes/range.ts'
import { lenient, matchPredicate, phrasePredicate } from '../shapes/text-query.ts'
import { columnWord, normalizedWord } from '../shapes/words.ts'
import type { QueryNode } from './ast.ts'

/** How the parts of a query string are read. */
export interface QueryStringOptions {
  /** Undefined: the index's default fields. */
  readonly fields: readonly string[] | undefined
  readonly lenient: boolean | undefined
  readonly phraseSlop: number
  /** `type: phrase`: several words from one are a phrase. */
  readonly allPhrases: boolean
  /** `type: phrase_prefix`: the last word of these may be the beginning of one. */
  readonly openPhrases?: boolean
  /** `type: cross_fields`: each word may be in another field. */
  readonly acrossFields: boolean
  /** Whether what matches in several fields scores as all of them, or as the best with a share of the others. */
  readonly several: { readonly op: 'sum' } | { readonly op: 'max'; readonly tie: number }
  readonly operator: 'and' | 'or'
  readonly minimumShouldMatch: string | number | undefined
  /** Appended to fields of quoted parts where such a field is mapped. */
  readonly quoteFieldSuffix: string | undefined
  readonly timeZone: string | undefined
  /** Of words with `~` and no number. */
  readonly fuzziness: string | number
  readonly fuzzyPrefixLength: number
  readonly fuzzyTranspositions: boolean
  /** Cuts the texts instead of the fields' own analyzers. */
  readonly analyzer: string | undefined
  readonly synonymPhrases: boolean | undefined
  /** The same for phrases. */
  readonly quoteAnalyzer: string | undefined
}

/** What a parsed query string means for one index. */
export function lowerQueryString(node: QueryNode, options: QueryStringOptions, context: LowerContext): Predicate {
  switch (node.type) {
    case 'all':
      return all
    case 'none':
      return none
    case 'exists':
      return existsIn(node.field, options, context)
    case 'bool':
      return lowerBool(node, options, context)
    case 'boosted':
      return lowerQueryString(node.node, options, context)
    default: {
      const apart = partsOf(node, options, context)
      return apart ? lowerBool(apart, options, context) : or(byField(node, options, context).map(({ found }) => found))
    }
  }
}

/** What a parsed query string adds to the score of a document. */
export function scoreQueryString(node: QueryNode, options: QueryStringOptions, context: LowerContext): Score {
  switch (node.type) {
    case 'all':
    case 'none':
    case 'exists':
      return scoreOf(lowerQueryString(node, options, context))
    case 'boosted':
      return boosted(scoreQueryString(node.node, options, context), node.by)
    case 'bool':
      return scoreBool(node, options, context)
    default: {
      const apart = partsOf(node, options, context)
      if (apart) return scoreBool(apart, options, context)
      const of = byField(node, options, context).map(({ found, boost }) => boosted(scoreOf(found), boost))
      return { ...options.several, of }
    }
  }
}

function scoreBool(node: Bool, options: QueryStringOptions, context: LowerContext): Score {
  const inner = { ...options, minimumShouldMatch: undefined }
  const scoring = node.clauses.filter(({ occur }) => occur !== 'must_not')
  const of = scoring.map((clause) => scoreQueryString(clause.node, inner, context))
  return { op: 'within', when: lowerBool(node, options, context), of: { op: 'sum', of } }
}

type Bool = Extract<QueryNode, { readonly type: 'bool' }>

/** Words side by side as clauses of their own, where each counts by itself or may be in another field. */
function partsOf(node: Leaf, options: QueryStringOptions, context: LowerContext): Bool | undefined {
  if (node.type !== 'term' || node.parts === undefined || options.allPhrases) return undefined
  if (!options.acrossFields) {
    if (options.minimumShouldMatch === undefined) return undefined
    const [field, second] = fieldsOf(node.field, options, context).fields
    if (second || field?.valueType !== 'text') return undefined
  }
  const occur = options.operator === 'and' ? 'must' : 'should'
  const clauses = node.parts.map((text) => ({
    occur,
    node: { type: 'term', field: node.field, text, pattern: undefined },
  }))
  return { type: 'bool', clauses: clauses as Bool['clauses'] }
}

/** What a part looks for in each of its fields. */
function byField(
  node: Leaf,
  options: QueryStringOptions,
  context: LowerContext,
): readonly { readonly found: Predicate; readonly boost: number }[] {
  // Refused whether or not a field is there to be searched.
  if (node.type === 'regexp') checkRegexp(node.source, context)
  const { fields, boosts, lenient: forgiving } = fieldsOf(node.field, options, context)
  const quiet = forgiving || options.lenient === true
  return fields.map((field) => ({
    found: lenient(quiet, () => onField(node, field, options, context)),
    boost: boosts.get(field.path) ?? 1,
  }))
}

/** `*` alone means all documents where all fields are searched, else those with a value in one of the fields. */
function existsIn(field: string | undefined, { fields }: QueryStringOptions, context: LowerContext): Predicate {
  if (field !== undefined) return existsPredicate(field, context)
  const paths = (fields ?? context.defaultFields()).map((name) => name.replace(/\^[\d.]+$/u, ''))
  return paths.includes('*') ? all : or(paths.map((path) => existsPredicate(path, context)))
}

function lowerBool(node: Bool, options: QueryStringOptions, context: LowerContext): Predicate {
  const inner = { ...options, minimumShouldMatch: undefined }
  const of = (occur: string) =>
    node.clauses
      .filter((clause) => clause.occur === occur)
      .map((clause) => lowerQueryString(clause.node, inner, context))
  const must = of('must')
  const should = of('should')
  const otherwise = must.length === 0 && should.length > 0 ? 1 : 0
  const needed = minimumShouldMatch(options.minimumShouldMatch, should.length, otherwise)
  const optional: Predicate =
    needed <= 0
      ? all
      : needed === 1
        ? or(should)
        : needed > should.length
          ? none
          : { op: 'at-least', count: needed, of: should }
  return and([...must, optional, ...of('must_not').map(not)])
}

function fieldsOf(name: string | undefined, options: QueryStringOptions, context: LowerContext) {
  if (name === undefined) return fieldList(options.fields, context, options.lenient)
  if (name === '_index') return { fields: [indexField], boosts: new Map<string, number>(), lenient: false }
  return fieldList([name], context, name.includes('*') ? true : options.lenient)
}

const indexField: ResolvedField = {
  path: '_index',
  wireType: '_index',
  valueType: 'string',
  parameters: {},
  sourcePath: '_index',
}

type Leaf = Exclude<QueryNode, { readonly type: 'all' | 'none' | 'bool' | 'exists' | 'boosted' }>

function onField(node: Leaf, field: ResolvedField, options: QueryStringOptions, context: LowerContext): Predicate {
  switch (node.type) {
    case 'term':
      return termOn(node, field, options, context)
    case 'fuzzy':
      return fuzzyOn(node, field, options, context)
    case 'prefix': {
      const text = normalizedWord(field, node.text)
      return patternPredicate(field.path, { kind: 'prefix', text, caseInsensitive: false }, context)
    }
    case 'phrase': {
      const { quoteFieldSuffix: suffix } = options
      const quoted = (suffix === undefined ? undefined : context.field(field.path + suffix)) ?? field
      return phrasePredicate(
        quoted,
        node.text,
        { slop: node.slop ?? options.phraseSlop, prefix: false, analyzer: options.quoteAnalyzer },
        context,
      )
    }
    case 'regexp':
      return patternPredicate(field.path, { kind: 'regexp', text: node.source, caseInsensitive: false }, context)
    case 'range':
      return rangePredicate(
        field,
        boundsOf(node),
        { timeZone: field.valueType?.startsWith('date') ? options.timeZone : undefined },
        context,
      )
  }
}

/** Words near one whose letters are changed as the field's are, and nothing else: of a stem nobody said how far it may be away. */
function fuzzyOn(
  node: Extract<QueryNode, { readonly type: 'fuzzy' }>,
  field: ResolvedField,
  options: QueryStringOptions,
  context: LowerContext,
): Predicate {
  const near = {
    fuzziness: node.edits ?? options.fuzziness,
    prefixLength: options.fuzzyPrefixLength,
    transpositions: options.fuzzyTranspositions,
  }
  const { analyzer } = options
  const found = fuzzyField(field)
  if (found.valueType !== 'text') return matchPredicate(found, node.text, { operator: 'and', analyzer, near }, context)
  return fuzzyPredicate(found, columnWord(field, normalizedWord(field, node.text)), near)
}

function termOn(
  node: Extract<QueryNode, { readonly type: 'term' }>,
  field: ResolvedField,
  options: QueryStringOptions,
  context: LowerContext,
): Predicate {
  if (node.pattern !== undefined) {
    if (/^\*+$/u.test(node.pattern)) return existsPredicate(field.path, context)
    const text = normalizedWord(field, node.pattern)
    return patternPredicate(field.path, { kind: 'wildcard', text, caseInsensitive: false }, context)
  }
  const { analyzer, openPhrases: prefix = false } = options
  if (options.allPhrases)
    return phrasePredicate(field, node.text, { slop: options.phraseSlop, prefix, analyzer }, context)
  return matchPredicate(
    field,
    node.text,
    { operator: options.operator, analyzer, synonymPhrases: options.synonymPhrases },
    context,
  )
}

function boundsOf(node: Extract<QueryNode, { readonly type: 'range' }>): Bounds {
  return {
    ...(node.low === undefined ? {} : node.includeLow ? { gte: node.low } : { gt: node.low }),
    ...(node.high === undefined ? {} : node.includeHigh ? { lte: node.high } : { lt: node.high }),
  }
}
