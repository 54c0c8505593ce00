import { isAppError } from '@logstack/errors'
import { all, fieldConditions, none, type Pattern, type Predicate, wildcardPieces } from '@logstack/rules'
import { type FoundWords, type IndexedColumn, type IndexSize, IndexWords } from '../../documents/index-words.ts'
import type { Visibility } from '../../documents/visibility.ts'
import { timeBounds } from '../../sql/time-pruning.ts'
import { indicesOf, keep } from '../leaves/filter-keys.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { columnLookup, hasManyTimes, type Leaf, mapConditions, permittedRows } from '../leaves/leaves.ts'
import type { PlanRead } from '../leaves/plan-read.ts'
import { timeMarks } from './time-marks.ts'

/** Rows from which on words are looked up: fewer are cut as fast. */
const rowsMin = 20_000
/** Words of an index that are looked through for each row that would be cut otherwise. */
const wordsOfRowMax = 4
/** Numbers of rows that are read of an index for each row that would be cut otherwise: the former takes a hundredth of the time. */
const listedOfRowMax = 100
/** Patterns on one field that are looked up; each is tried on every word. */
const patternsMax = 16

/** Look-ups that are kept for a snapshot, 80 kB each at most. */
const keptMax = 32

type PatternPredicate = Extract<Predicate, { readonly op: 'pattern' }>

/** The patterns on one column with a token index. */
interface ColumnPatterns extends IndexedColumn {
  readonly predicates: readonly PatternPredicate[]
}

/**
 * The leaf with the words that its patterns stand for in their place: these are asked of the token index like all words, and no text is cut. What is
 * asked for (`asked`) stays as it was. A pattern stays where too many words match it, or it would cost more to read of an index where they are; all
 * stay where few rows are looked at (`least` are those from which on it is done) or many have no index.
 */
export async function expandPatterns(
  services: PlanServices,
  leaf: Leaf,
  read: PlanRead,
  least = rowsMin,
): Promise<Leaf> {
  const expanded = new Map<string, Predicate>()
  for (const column of columnsWithPatterns(services, leaf)) {
    const words = await wordsOf(services, leaf, column, { ...read, least })
    for (const [at, predicate] of column.predicates.entries()) {
      const tokens = words[at]
      if (!tokens) continue
      const { field } = predicate
      expanded.set(keyOf(predicate), tokens.length === 0 ? none : { op: 'tokens', field, tokens, count: 1 })
    }
  }
  if (expanded.size === 0) return leaf
  return mapConditions(leaf, (condition) =>
    condition.op === 'pattern' ? (expanded.get(keyOf(condition)) ?? condition) : condition,
  )
}

function keyOf({ field, pattern }: PatternPredicate): string {
  return JSON.stringify([field.path, pattern])
}

function columnsWithPatterns({ catalogue }: Pick<PlanServices, 'catalogue'>, leaf: Leaf): readonly ColumnPatterns[] {
  const { table, computed } = leaf
  const found = new Map<string, Map<string, PatternPredicate>>()
  for (const predicate of fieldConditions(leaf.predicate)) {
    const { path, type } = predicate.field
    if (predicate.op !== 'pattern' || type !== 'text' || computed?.has(path) === true) continue
    const ofField = found.get(path) ?? new Map<string, PatternPredicate>()
    found.set(path, ofField.set(keyOf(predicate), predicate))
  }
  return [...found].flatMap(([path, predicates]) => {
    const column = catalogue.column(table, path, 'text')
    // Words of array companions are in no index.
    if (column?.indexed !== true || column.manyName !== undefined || predicates.size > patternsMax) return []
    return [{ table, column, predicates: [...predicates.values()] }]
  })
}

type Words = readonly (FoundWords | undefined)[]

const indexWordsOf = new WeakMap<object, IndexWords>()
/** What was found for a snapshot; rows of a snapshot, and so their words, are the same as long as it is. */
const keptWords = new WeakMap<Visibility, Map<string, Words>>()

/** The words of each of a column's patterns; undefined where it is not worth to look for them or to use them, or cannot be done. */
async function wordsOf(
  services: PlanServices,
  leaf: Leaf,
  { table, column, predicates }: ColumnPatterns,
  read: PlanRead & { readonly least: number },
): Promise<readonly (readonly string[] | undefined)[]> {
  const { documents, engine } = services
  const { visibility } = leaf
  const known = indexWordsOf.get(documents) ?? new IndexWords()
  indexWordsOf.set(documents, known)
  const kept = keptWords.get(visibility) ?? new Map<string, Words>()
  const key = JSON.stringify([indicesOf(leaf), ...predicates.map(keyOf)])
  const patterns = predicates.map(({ pattern }) => pattern)
  const place = { table, column }
  try {
    const size = await known.size(engine, place, { seq: visibility.seq, rowsMin: read.least }, read)
    const rowsCut = Math.min(size.rows, rowsOfTime(services, leaf))
    if (rowsCut < read.least || !isQuicklyRead(patterns, size, rowsCut)) return []
    // Whatever the caller may see: a word of a row that it may not see decides, below a negation, that it may not.
    const rows = permittedRows(services, { ...leaf, permitted: all })
    const words = kept.get(key) ?? (await known.matching(engine, { ...place, patterns, rows }, visibility.seq, read))
    keep(kept, key, words, keptMax)
    keptWords.set(visibility, kept)
    return words.map((found) => (found && found.listed <= rowsCut * listedOfRowMax ? found.words : undefined))
  } catch (thrown) {
    if (lacksIndex(thrown)) return []
    throw thrown
  }
}

/** The catalogue has an index before the engine does, which then refuses the argument that names it (`BAD_ARGUMENTS`). */
function lacksIndex(thrown: unknown): boolean {
  return isAppError(thrown) && thrown.code === 'engine_query_failed' && thrown.detail?.['clickhouseCode'] === 36
}

/** Whether few words are looked through beside the texts that would be cut. */
function isQuicklyRead(patterns: readonly Pattern[], size: IndexSize, rowsCut: number): boolean {
  return patterns.every(beginsFixed) || size.words <= rowsCut * wordsOfRowMax
}

/** About how many rows lie in the time that a leaf is bound by. */
function rowsOfTime(services: PlanServices, leaf: Leaf): number {
  const { from, to } = timeBounds(leaf.predicate)
  const isUnbound = from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY
  if (isUnbound || hasManyTimes(columnLookup(services, leaf), leaf)) return Number.POSITIVE_INFINITY
  return timeMarks(services).rowsUntil(leaf.table, to, true, from) ?? Number.POSITIVE_INFINITY
}

/** Whether the engine looks through those words only that begin as the pattern does. */
function beginsFixed({ kind, text, caseInsensitive, prefixLength = 0 }: Pattern): boolean {
  if (caseInsensitive || kind === 'regexp') return false
  if (kind === 'fuzzy') return prefixLength > 0
  const [first] = kind === 'prefix' ? [{ literal: text }] : wildcardPieces(text)
  return first !== undefined && 'literal' in first && first.literal !== ''
}
