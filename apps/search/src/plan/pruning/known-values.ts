import { setImmediate } from 'node:timers/promises'
import {
  compilePattern,
  evaluate,
  type Field,
  type FieldPredicate,
  fieldConditions,
  mapFields,
  none,
  type Predicate,
  tokenize,
} from '@logstack/rules'
import { columnValues } from '../../documents/column-values.ts'
import { isDecidedByValues, valueColumns } from '../../documents/value-columns.ts'
import { isAscii, isWellFormed, type KnownValues, type ValueSet } from '../../documents/value-set.ts'
import type { Column } from '../../model/table.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { type Leaf, mapConditions } from '../leaves/leaves.ts'
import type { PlanRead } from '../leaves/plan-read.ts'
import { absentNeedles, needleKey } from './absent-needles.ts'

/** Fields a search must look at for the values of its columns to be asked for: of one or two a column is read in no time. */
const fieldsMin = 4
/** Values that are named in the place of a pattern. */
const namedMax = 256
/** Values that the conditions of one search are tried on in this process, 10 to 30 ms of it. */
const triedMax = 20_000

/**
 * A leaf without the conditions that no row meets, told by the values that its columns have. Who looks for a word in all fields means two of fifty, and the others would be
 * compared row by row; a text that is cut row by row is compared with the few texts there are (ADR 0007). Answers are the same either way.
 */
export async function withKnownValues(
  services: PlanServices,
  leaf: Leaf,
  read: PlanRead,
  askedMin: number = fieldsMin,
): Promise<Leaf> {
  const columns = askedColumns(services, leaf, leaf.predicate)
  const isDear = [...columns.values()].some(({ type }) => type === 'text')
  if (columns.size === 0 || (columns.size < askedMin && !isDear)) return leaf
  const wanted = [...columns.values()].flatMap(valueColumns)
  // A search that is to end soon does not wait for what others gain by.
  const waits = read.limits === undefined
  const values = await columnValues(services).of(leaf.table, wanted, leaf.visibility.seq, waits)
  await cutWords(
    [...columns.values()].filter(({ type }) => type === 'text'),
    values,
  )
  const decidedLeaf = mapConditions(leaf, decided(columns, values))
  const absent = await absentNeedles(services, decidedLeaf, needlesOf(decidedLeaf.predicate, columns, values), read)
  if (absent.size === 0) return decidedLeaf
  return mapConditions(decidedLeaf, (condition) => (absent.has(needleKey(condition)) ? none : condition))
}

/** What the query of a bucket comes to on a leaf, as a condition beside the leaf's own. */
export type BucketQuery = (leaf: Leaf, query: unknown) => Predicate

/**
 * The same of the queries of buckets, by the values that are known at the moment. Needles that `queries` look for are looked for among the rows of the leaves first: of a word
 * in all fields an id is one of thirty alternatives, and its column would be read whole for it.
 */
export async function bucketQueries(
  services: PlanServices,
  leaves: readonly Leaf[],
  queries: readonly unknown[],
  read: PlanRead,
): Promise<BucketQuery> {
  const decidedOf = new Map<Leaf, ReadonlyMap<unknown, Predicate>>()
  for (const leaf of leaves) {
    const known = queries.map((query) => knownQuery(services, leaf, query))
    const absent = await absentNeedles(
      services,
      leaf,
      known.flatMap(({ needles }) => needles),
      read,
    )
    const without = ({ predicate }: KnownQuery): Predicate =>
      absent.size === 0
        ? predicate
        : mapFields(predicate, (condition) => (absent.has(needleKey(condition)) ? none : condition))
    decidedOf.set(leaf, new Map(known.map((each) => [each.query, without(each)])))
  }
  return (leaf, query) => decidedOf.get(leaf)?.get(query) ?? knownQuery(services, leaf, query).predicate
}

interface KnownQuery {
  readonly query: unknown
  readonly predicate: Predicate
  /** Conditions of it that look for a needle. */
  readonly needles: readonly FieldPredicate[]
}

/** A query decided by what is known now, where it looks at columns that are worth a look. */
function knownQuery(services: PlanServices, leaf: Leaf, query: unknown): KnownQuery {
  const lowered = leaf.context.lower(query)
  const columns = askedColumns(services, leaf, lowered)
  if (columns.size < fieldsMin && ![...columns.values()].some(({ type }) => type === 'text'))
    return { query, predicate: lowered, needles: [] }
  const wanted = [...columns.values()].flatMap(valueColumns)
  const values = columnValues(services).now(leaf.table, wanted, leaf.visibility.seq)
  const predicate = mapFields(lowered, decided(columns, values))
  return { query, predicate, needles: needlesOf(predicate, columns, values) }
}

/** The columns whose values can decide a condition, by the path and type of their field. */
function askedColumns(
  services: Pick<PlanServices, 'catalogue'>,
  leaf: Leaf,
  predicate: Predicate,
): Map<string, Column> {
  const columns = new Map<string, Column>()
  const { keyed } = leaf.context.computed
  for (const condition of fieldConditions(predicate)) {
    const { field } = condition
    if (!isDecidable(condition) || leaf.computed?.has(field.path) || keyed.has(field.path)) continue
    const column = services.catalogue.column(leaf.table, field.path, field.type)
    if (column && isDecidedByValues(column)) columns.set(keyOf(field), column)
  }
  return columns
}

function isDecidable(condition: FieldPredicate): boolean {
  const { op, field } = condition
  if (!asked(condition).every(isWellFormed)) return false
  if (op === 'pattern') {
    const { kind, text } = condition.pattern
    // The engine reads regular expressions faster, and some that this process refuses.
    if (kind === 'regexp' || (isOfLetters(condition) && !isAscii(text))) return false
  }
  if (field.type === 'string') return op === 'equals' || op === 'pattern'
  if (field.type !== 'text') return false
  if (op === 'tokens') return condition.count > 0
  return op === 'phrase' || op === 'pattern'
}

/** The texts that a condition compares values with. */
function asked(condition: FieldPredicate): readonly string[] {
  if (condition.op === 'equals') return condition.values.map(String)
  if (condition.op === 'pattern') return [condition.pattern.text]
  return condition.op === 'tokens' || condition.op === 'phrase' ? condition.tokens : []
}

function keyOf({ path, type }: Field): string {
  return `${type} ${path}`
}

/** A condition as what it is among the values there are: none, some of them, or itself where these are not known. */
function decided(
  columns: ReadonlyMap<string, Column>,
  values: ReadonlyMap<string, KnownValues>,
): (condition: FieldPredicate) => Predicate {
  const budget = { left: triedMax }
  return (condition) => {
    const column = columns.get(keyOf(condition.field))
    if (!column || !isDecidable(condition)) return condition
    const sets = valueColumns(column).map(({ name }) => values.get(name))
    if (sets.some((set) => set === undefined || set === 'many')) return condition
    const held = sets as ValueSet[]
    if (condition.op === 'equals') {
      const wanted = condition.values.filter((value) => held.some((set) => set.values.has(String(value))))
      if (wanted.length === condition.values.length) return condition
      return wanted.length === 0 ? none : { ...condition, values: wanted }
    }
    // Cases and swaps of letters beyond ASCII are the engine's to say.
    if (isOfLetters(condition) && !held.every((set) => set.isAscii)) return condition
    if (condition.field.type === 'text' && !mayHold(condition, held, budget)) return none
    if (!spend(budget, condition, sizeOf(held.map((set) => set.values)))) return condition
    const found = [...new Set(held.flatMap((set) => [...set.values]))].filter(testOf(condition))
    if (found.length > namedMax) return condition
    return found.length === 0 ? none : { op: 'equals', field: condition.field, values: found }
  }
}

function isOfLetters(condition: FieldPredicate): boolean {
  return condition.op === 'pattern' && (condition.pattern.caseInsensitive || condition.pattern.kind === 'fuzzy')
}

/** Whether a condition may be tried on so many values yet; what counts letters that differ takes ten times as long. */
function spend(budget: { left: number }, condition: FieldPredicate, tried: number): boolean {
  const isFuzzy = condition.op === 'pattern' && condition.pattern.kind === 'fuzzy'
  budget.left -= isFuzzy ? 10 * tried : tried
  return budget.left >= 0
}

function sizeOf(sets: readonly ReadonlySet<string>[]): number {
  return sets.reduce((sum, { size }) => sum + size, 0)
}

/** Whether the words of a column's texts can meet a condition. */
function mayHold(condition: FieldPredicate, sets: readonly ValueSet[], budget: { left: number }): boolean {
  const has = (word: string) => sets.some(({ words }) => words.has(word))
  switch (condition.op) {
    case 'tokens':
      return condition.tokens.filter(has).length >= condition.count
    case 'phrase':
      return (condition.prefix ? condition.tokens.slice(0, -1) : condition.tokens).every(has)
    case 'pattern': {
      const words = sets.map((set) => set.words)
      if (!spend(budget, condition, sizeOf(words))) return true
      const matches = compilePattern(condition.pattern)
      return words.some((each) => [...each].some(matches))
    }
    default:
      return true
  }
}

function testOf(condition: FieldPredicate): (value: string) => boolean {
  const { field } = condition
  if (condition.op !== 'pattern') return (value) => evaluate(condition, undefined, { [field.path]: value })
  const matches = compilePattern(condition.pattern)
  return field.type === 'text' ? (value) => tokenize(value).some(matches) : matches
}

/** Cuts the words of texts that were not asked for before, one column after the other, so that others have their turn in between. */
async function cutWords(columns: readonly Column[], values: ReadonlyMap<string, KnownValues>): Promise<void> {
  for (const { name } of columns) {
    const set = values.get(name)
    if (set === undefined || set === 'many' || set.hasWords) continue
    if (set.words.size > 0) await setImmediate()
  }
}

/** Ids and hashes that a predicate's alternatives look for. */
function needlesOf(
  predicate: Predicate,
  columns: ReadonlyMap<string, Column>,
  values: ReadonlyMap<string, KnownValues>,
): readonly FieldPredicate[] {
  const isNeedle = ({ op, field }: FieldPredicate): boolean => {
    const column = columns.get(keyOf(field))
    return op === 'equals' && column?.indexed === true && values.get(column.name) === 'many'
  }
  return alternativesOf(predicate).flatMap(fieldConditions).filter(isNeedle)
}

/** The conditions of a predicate that are not the only way to meet it. */
function alternativesOf(predicate: Predicate): readonly Predicate[] {
  if (predicate.op === 'or' || predicate.op === 'at-least') return [predicate]
  return predicate.op === 'and' ? predicate.of.flatMap(alternativesOf) : []
}
