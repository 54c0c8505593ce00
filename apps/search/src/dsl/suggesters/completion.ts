import { compilePattern, wholesAt } from '@logstack/rules'
import { editDistance } from '@logstack/spelling'
import { z } from 'zod'
import { RowBinaryReader } from '../../documents/rowbinary.ts'
import { type CompletionContext, completionField, readInput } from '../../indices/field-types/completion.ts'
import { Double, JsonPiece } from '../../json/print-json.ts'
import { parseSource } from '../../json/source-json.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { sourceOf } from '../../sql/document-source.ts'
import { columnsOf } from '../../sql/predicate-to-sql.ts'
import { num, type Sql, sql, str } from '../../sql/sql.ts'
import { readRegexp } from '../shapes/pattern.ts'
import { flag, whole } from '../shapes/scalars.ts'
import { filterSourceText } from '../source-filter.ts'
import { contextsOf, readContexts } from './completion-contexts.ts'
import { defineSuggester, type SuggestRows, type SuggestRun, type SuggestText } from './define-suggester.ts'

/** Documents that one suggestion looks at, at most. */
const completedDocumentsMax = 100_000
const sizeDefault = 5

const fuzzy = z.strictObject({
  fuzziness: z.union([z.string(), z.number()]).optional(),
  transpositions: flag.optional(),
  min_length: whole.optional(),
  prefix_length: whole.optional(),
  unicode_aware: flag.optional(),
  max_determinized_states: whole.optional(),
})
const regex = z.strictObject({
  flags: z.union([z.string(), z.number()]).optional(),
  max_determinized_states: whole.optional(),
})
const schema = z.strictObject({
  field: z.string(),
  size: whole.optional(),
  shard_size: whole.optional(),
  skip_duplicates: flag.optional(),
  fuzzy: z.union([fuzzy, flag]).optional(),
  regex: regex.optional(),
  contexts: z.record(z.string(), z.unknown()).optional(),
})
type Body = z.infer<typeof schema>

interface Found {
  readonly text: string
  readonly score: number
  readonly contexts: ReadonlyMap<string, readonly string[]>
  readonly index: string
  readonly id: string
  readonly source: Buffer | undefined
}

/** `completion`: the inputs of a `completion` field that begin with the text, those of the greatest weight first. */
export const completion = defineSuggester({
  name: 'completion',
  schema,
  touch({ field: path, contexts }, context) {
    const field = context.field(path)
    if (!field) return
    if (field.wireType !== 'completion') throw illegalArgument(`Field [${path}] is not a completion suggest field`)
    readContexts(contexts, contextsMapped(field))
  },
  async suggest(body, text, run) {
    if (run.rows.length > 0 && !run.rows.some(({ context }) => context.field(body.field)))
      throw illegalArgument(`no mapping found for field [${body.field}]`)
    const found: Found[] = []
    for (const rows of run.rows) found.push(...(await ofRows(rows, body, text, run)))
    found.sort((a, b) => b.score - a.score || compare(a.text, b.text) || compare(a.id, b.id))
    const texts = new Set<string>()
    const kept = body.skip_duplicates === true ? found.filter((each) => isNew(texts, each.text)) : found
    const options = kept.slice(0, body.size ?? sizeDefault).map((each) => shown(each, run))
    return [{ text: text.text, offset: 0, length: text.text.length, options }]
  },
})

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function isNew(known: Set<string>, text: string): boolean {
  const before = known.size
  return known.add(text).size > before
}

function contextsMapped({ parameters }: ResolvedField): readonly CompletionContext[] | undefined {
  const given = parameters['contexts']
  return Array.isArray(given) ? (given as CompletionContext[]) : undefined
}

/** The best input of each document. */
async function ofRows(searched: SuggestRows, body: Body, text: SuggestText, run: SuggestRun): Promise<Found[]> {
  const { table, indices, columns: lookup, from, where } = searched
  const field = searched.context.field(body.field)
  if (!field) return []
  const columns = columnsOf({ path: field.path, type: 'string' }, lookup)
  if (!columns) return []
  const wanted = matcher(text, body, field)
  const holds = (value: Sql) =>
    wanted.prefix === undefined ? sql`1` : sql`startsWith(${value}, ${str(wanted.prefix)})`
  const one = sql`(isNotNull(${columns.one}) AND ${holds(sql`assumeNotNull(${columns.one})`)})`
  const condition = columns.many ? sql`(${one} OR arrayExists(v -> ${holds(sql`v`)}, ${columns.many}))` : one
  const statement = sql`SELECT toUInt32(_index), _id, ${sourceOf(table, indices)} FROM ${from} WHERE ${where} AND ${condition} LIMIT ${num(completedDocumentsMax + 1)}`
  const reader = new RowBinaryReader(await run.engine.bytes(statement, 'RowBinary', run.read))
  const byId = new Map(indices.map((index) => [index.id, index]))
  const found: Found[] = []
  for (let rows = 0; !reader.ended; rows++) {
    if (rows >= completedDocumentsMax)
      throw illegalArgument(
        `more than [${completedDocumentsMax}] documents complete [${text.text}]: give more of what is meant`,
      )
    const index = byId.get(reader.uint32())
    if (!index) throw new Error('BUG: a row of an index that was not searched')
    const id = reader.string()
    const source = searched.visibleSource(index, reader.buffer())
    const best = source && bestInput(parseSource(source), field, body, wanted.matches)
    if (best) found.push({ ...best, index: index.name, id, source })
  }
  return found
}

function bestInput(
  source: unknown,
  field: ResolvedField,
  body: Body,
  matches: (normal: string) => boolean,
): Pick<Found, 'text' | 'score' | 'contexts'> | undefined {
  const mapped = contextsMapped(field)
  const asked = readContexts(body.contexts, mapped)
  let best: Pick<Found, 'text' | 'score' | 'contexts'> | undefined
  for (const leaf of wholesAt(source, field.sourcePath).flatMap((each) => completionField.members?.(each) ?? [])) {
    if (leaf === null || leaf === undefined) continue
    const input = readInput(leaf)
    if (!matches(field.normal?.(input.input) ?? input.input)) continue
    const contexts = contextsOf(input, mapped, source)
    const fitting = asked?.filter(({ name, fits }) => fits(contexts.get(name) ?? []))
    if (fitting?.length === 0) continue
    const score = input.weight * Math.max(...(fitting ?? [{ boost: 1 }]).map(({ boost }) => boost))
    if (best === undefined || score > best.score) best = { text: input.input, score, contexts }
  }
  return best
}

interface Matcher {
  /** What the normal form must begin with, where it is as plain as that. */
  readonly prefix: string | undefined
  matches(normal: string): boolean
}

function matcher(text: SuggestText, body: Body, field: ResolvedField): Matcher {
  if (text.kind === 'regex') {
    readRegexp(text.text)
    const matches = compilePattern({ kind: 'regexp', text: `(${text.text}).*`, caseInsensitive: false })
    return { prefix: undefined, matches }
  }
  const prefix = field.normal?.(text.text) ?? text.text
  const { fuzzy: given = false } = body
  const plain: Matcher = { prefix, matches: (normal) => normal.startsWith(prefix) }
  if (given === false) return plain
  const { fuzziness = 'AUTO', min_length: least = 3, prefix_length: same = 1 } = given === true ? {} : given
  const letters = [...prefix]
  const auto = letters.length < 3 ? 0 : letters.length < 6 ? 1 : 2
  const edits = /^auto/iu.test(String(fuzziness)) ? auto : Number(fuzziness)
  if (letters.length < least || edits === 0) return plain
  const beginning = letters.slice(0, same).join('')
  return {
    prefix: beginning,
    matches: (normal) => normal.startsWith(beginning) && beginsNear([...normal], prefix, letters.length, edits),
  }
}

/** Whether some beginning of a text is as near to the prefix as that. */
function beginsNear(text: readonly string[], prefix: string, length: number, edits: number): boolean {
  for (let end = Math.max(0, length - edits); end <= Math.min(text.length, length + edits); end++)
    if (editDistance(text.slice(0, end).join(''), prefix, edits) <= edits) return true
  return false
}

function shown({ text, score, contexts, index, id, source }: Found, { source: filter }: SuggestRun): unknown {
  const written = source?.toString('utf8') ?? '{}'
  const kept = filter === 'none' ? undefined : filter === 'whole' ? written : filterSourceText(written, filter)
  return {
    text,
    _index: index,
    _id: id,
    _score: new Double(score),
    ...(kept === undefined ? {} : { _source: new JsonPiece(kept) }),
    ...(contexts.size === 0 ? {} : { contexts: Object.fromEntries(contexts) }),
  }
}
