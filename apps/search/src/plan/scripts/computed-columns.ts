import { AppError, searchErrors } from '@logstack/errors'
import { all, and, or, type Predicate, type Value, type ValueType } from '@logstack/rules'
import type { ResolvedField } from '../../model/mapping.ts'
import { asksForScore, contextOf, type FieldContext } from '../../painless/field-script.ts'
import { elementTypes, type FieldColumns } from '../../sql/field-columns.ts'
import { ident, list, num, type Sql, sql, str } from '../../sql/sql.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { type Leaf, leafRows } from '../leaves/leaves.ts'
import { type PlanRead, turnsOf } from '../leaves/plan-read.ts'
import { scoreLeaf, scoreValue } from '../leaves/score-leaf.ts'
import { arrivalKey } from '../order/order.ts'
import { firstSequences, numbered } from '../order/sequences.ts'
import { noteFailedDocument } from './failed-document.ts'
import {
  readScripted,
  type ScriptedRow,
  scriptedDocumentsMax,
  scriptedPageRows,
  tooManyScripted,
} from './scripted-documents.ts'
import { type Interpret, statedColumns } from './stated-columns.ts'

type Values = ReadonlyMap<
  ResolvedField,
  { readonly sequences: (number | bigint)[]; readonly values: (readonly Value[])[] }
>

/**
 * Makes columns of what a leaf's computed fields give over the documents that can match the rest of its query: of scripts that SQL says exactly, expressions; of all others
 * what they gave when they were run. Clauses, sorts and aggregations then read them like the others. Throws `illegal_argument_exception` when too many documents had to be read.
 */
export async function withComputedColumns(services: PlanServices, leaf: Leaf, read: PlanRead): Promise<Leaf> {
  const fields = [...leaf.context.computed.fields.values()]
  if (fields.length === 0) return leaf
  const scored = fields.filter(({ computed }) => computed?.script !== undefined && asksForScore(computed.script))
  const plain = fields.filter((field) => !scored.includes(field))
  const first = await computed(services, leaf, plain, undefined, read)
  if (scored.length === 0) return first
  const score = await scoreLeaf(services, { ...first, score: leaf.scriptedScore ?? leaf.score }, read)
  return computed(services, first, scored, scoreValue(score), read)
}

async function computed(
  services: PlanServices,
  leaf: Leaf,
  fields: readonly ResolvedField[],
  score: Sql | undefined,
  read: PlanRead,
): Promise<Leaf> {
  if (fields.length === 0) return leaf
  const paths = new Set([...leaf.context.computed.fields.keys()].filter((path) => !leaf.computed?.has(path)))
  const found = { ...leaf, predicate: withoutFields(leaf.predicate, paths) }
  checkScripts(
    leaf,
    fields.flatMap(({ computed }) => (computed ? [{ script: computed.script, context: contextOf(computed) }] : [])),
  )
  const interpret: Interpret = async (wanted, condition) => {
    const { condition: own } = found
    const and = condition && own ? sql`(${own}) AND (${condition})` : (condition ?? own)
    return computeValues(services, and ? { ...found, condition: and } : found, wanted, score, read)
  }
  const { columns: stated, left } = await statedColumns(services, found, fields, { score, interpret }, read)
  const columns = new Map<string, FieldColumns>([...(leaf.computed ?? []), ...stated])
  if (left.length > 0) for (const [path, each] of await interpret(left)) columns.set(path, each)
  return { ...leaf, computed: columns }
}

/** What must hold of a document whatever its computed fields are. */
function withoutFields(predicate: Predicate, paths: ReadonlySet<string>): Predicate {
  switch (predicate.op) {
    case 'and':
      return and(predicate.of.map((each) => withoutFields(each, paths)))
    case 'or':
      return or(predicate.of.map((each) => withoutFields(each, paths)))
    case 'not':
    case 'at-least':
    case 'nested':
      return mentions(predicate, paths) ? all : predicate
    default:
      return 'field' in predicate && paths.has(predicate.field.path) ? all : predicate
  }
}

function mentions(predicate: Predicate, paths: ReadonlySet<string>): boolean {
  if ('field' in predicate) return paths.has(predicate.field.path)
  if (predicate.op === 'at-least' && typeof predicate.count === 'object' && paths.has(predicate.count.path)) return true
  if (predicate.op === 'not' || predicate.op === 'nested') return mentions(predicate.of, paths)
  return 'of' in predicate ? predicate.of.some((each) => mentions(each, paths)) : false
}

/** Letters that the computed values of one table's documents may take: they go into statements as they are. */
const heldLettersMax = 32 * 1024 ** 2
/** What a value that is no text counts as. */
const numberLetters = 8

/** Throws `script_exception` for a script that cannot be compiled, which is an error also where no document is read. */
export function checkScripts(
  { indices, readerOf }: Leaf,
  scripts: readonly { readonly script: unknown; readonly context?: FieldContext }[],
): void {
  const [first] = indices
  if (!first) return
  for (const { script, context } of scripts) if (script !== undefined) readerOf(first).check(script, context)
}

async function computeValues(
  services: PlanServices,
  leaf: Leaf,
  fields: readonly ResolvedField[],
  score: Sql | undefined,
  read: PlanRead,
): Promise<Map<string, FieldColumns>> {
  const found: Values = new Map(fields.map((field) => [field, { sequences: [], values: [] }]))
  const sequences = await scriptedSequences(services, leaf, read)
  let held = 0
  const turns = turnsOf(read)
  for (let at = 0; at < sequences.length; at += scriptedPageRows) {
    const condition = numbered(sequences.subarray(at, at + scriptedPageRows), false)
    for (const row of await readScripted(services, leaf, { condition, score: score ?? 0 }, read)) {
      if (turns.isDue) await turns.rest()
      held += turns.run(() => addValues(found, row))
      if (held > heldLettersMax) throw tooMuchComputed()
      read.signal?.throwIfAborted()
    }
  }
  const columns = new Map<string, FieldColumns>()
  for (const [field, { sequences, values }] of found)
    if (field.valueType !== undefined) columns.set(field.path, columnsOfValues(sequences, values, field.valueType))
  return columns
}

/** The rows that scripts read, found once: asked for page by page, whole rows of all that match would be read for each page, and in vain where there are too many. */
async function scriptedSequences(services: PlanServices, leaf: Leaf, read: PlanRead): Promise<Float64Array> {
  const wanted = { ...leafRows(services, leaf), orderKeys: [arrivalKey(false)], limit: scriptedDocumentsMax + 1 }
  const sequences = await firstSequences(services, wanted, { ...read, weight: 'heavy' })
  if (sequences.length > scriptedDocumentsMax) throw tooManyScripted()
  return sequences
}

/** Adds what a document's fields are, and gives how many letters that takes. */
function addValues(found: Values, row: ScriptedRow): number {
  let letters = 0
  for (const [field, { sequences, values }] of found) {
    const held = valuesOf(field, row)
    if (held.length === 0) continue
    sequences.push(row.sequence)
    values.push(held)
    for (const value of held) letters += typeof value === 'string' ? value.length : numberLetters
  }
  return letters
}

function tooMuchComputed(): AppError {
  const reason = `[request] Data too large, the values of computed fields would be larger than the limit of [${heldLettersMax}/${heldLettersMax / 1024 ** 2}mb]`
  return new AppError(searchErrors.circuit_breaking_exception, reason, { detail: { durability: 'TRANSIENT' } })
}

function valuesOf(field: ResolvedField, row: ScriptedRow): readonly Value[] {
  try {
    return row.reader.values(field, row.document)
  } catch (thrown) {
    noteFailedDocument(thrown, row)
    throw thrown
  }
}

/** Columns that find a row's values by its sequence number among literals. */
function columnsOfValues(
  sequences: readonly (number | bigint)[],
  held: readonly (readonly Value[])[],
  type: ValueType,
): FieldColumns {
  const element = elementTypes[type]
  const single: [number | bigint, Sql][] = []
  const several: [number | bigint, Sql][] = []
  for (const [at, values] of held.entries()) {
    const sequence = sequences[at] ?? 0
    const [first] = values
    if (values.length > 1) several.push([sequence, list(values.map((value) => str(String(value))))])
    else if (first !== undefined) single.push([sequence, str(String(first))])
  }
  return {
    one: lookUp(single, `Array(Nullable(${element}))`) ?? sql`CAST(NULL, ${str(`Nullable(${element})`)})`,
    many: lookUp(several, `Array(Array(${element}))`),
  }
}

function lookUp(entries: readonly (readonly [number | bigint, Sql])[], type: string): Sql | undefined {
  if (entries.length === 0) return undefined
  const values = sql`CAST(${list(entries.map(([, value]) => value))}, ${str(type)})`
  const places = list(entries.map((_, at) => num(at + 1)))
  return sql`${values}[transform(${ident('_seq')}, ${list(entries.map(([sequence]) => num(sequence)))}, ${places}, 0)]`
}
