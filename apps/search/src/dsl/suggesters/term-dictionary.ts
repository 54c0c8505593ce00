import { analysisOf } from '../../analysis/analysis.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { columnsOf } from '../../sql/predicate-to-sql.ts'
import { list, num, type Sql, sql, str } from '../../sql/sql.ts'
import { tokensOf, tokensOfMany } from '../../sql/text-tokens.ts'
import { decodeWord, encodeWord } from '../../tokens/column-words.ts'
import { analyze, type Token } from '../../tokens/token.ts'
import type { TracedContext } from '../lower-context.ts'
import type { SuggestRows, SuggestRun } from './define-suggester.ts'

/** How often words are in a field. */
export interface Dictionary {
  /** Documents with the field. */
  readonly documents: number
  /** Words of all documents. */
  readonly words: number
}

/** Words near another that are looked at, the most frequent first. */
const nearWordsMax = 1_000

/** The field of a suggester; throws `illegal_argument_exception` for one that is not mapped or holds no words. */
export function suggestField(path: string, context: TracedContext): ResolvedField | undefined {
  const field = context.field(path)
  if (!field && context.hasIndex) throw illegalArgument(`no mapping found for field [${path}]`)
  if (field && field.valueType !== 'text' && field.valueType !== 'string')
    throw illegalArgument(`field [${path}] of type [${field.wireType}] has no words to suggest`)
  return field
}

/** Cuts a text as searches on the field do, or by the analyzer that is named. */
export function cutText(text: string, path: string, named: string | undefined, { rows }: SuggestRun): Token[] {
  const context = rows[0]?.context
  const field = context?.field(path)
  const whole = field?.valueType === 'string' ? 'keyword' : 'standard'
  const own = named === undefined ? undefined : context?.analyzer(named)
  if (named !== undefined && context && !own) throw illegalArgument(`analyzer [${named}] doesn't exists`)
  const analyzer = own ?? field?.words?.search ?? analysisOf({}).analyzer(whole)
  if (!analyzer) throw new Error('BUG: a built-in analyzer is gone')
  return analyze(analyzer, text)
}

/** How many documents hold each of some words. */
export async function frequencies(
  words: readonly string[],
  path: string,
  run: SuggestRun,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  if (words.length === 0) return found
  for (const rows of run.rows) {
    const wanted = list([...new Set(words)].map((word) => str(written(word, rows, path))))
    for (const [word, count] of await counted(rows, path, sql`w IN ${wanted}`, run)) add(found, word, count)
  }
  return found
}

/** The words that begin alike and may be as near as `edits` letters, with the documents that hold them. */
export async function wordsNear(
  word: string,
  { edits, prefixLength }: { readonly edits: number; readonly prefixLength: number },
  path: string,
  run: SuggestRun,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const rows of run.rows) {
    const beginning = str(written([...word].slice(0, prefixLength).join(''), rows, path))
    // Neighbours that are swapped are two edits to the engine; what is too far is sorted out afterwards.
    const near = sql`startsWith(w, ${beginning}) AND editDistanceUTF8(w, ${str(written(word, rows, path))}) <= ${num(edits * 2)}`
    for (const [each, count] of await counted(rows, path, near, run)) add(found, each, count)
  }
  return found
}

/** How much a field holds in all. */
export async function sizeOf(path: string, run: SuggestRun): Promise<Dictionary> {
  let [documents, words] = [0, 0]
  for (const rows of run.rows) {
    const held = heldWords(rows, path)
    if (!held) continue
    const { from, where } = rows
    const statement = sql`SELECT countIf(notEmpty(held)), sum(length(held)) FROM (SELECT ${held} AS held FROM ${from} WHERE ${where})`
    const [row] = await run.engine.rows(statement, run.read)
    documents += Number(row?.[0] ?? 0)
    words += Number(row?.[1] ?? 0)
  }
  return { documents, words }
}

async function counted(
  searched: SuggestRows,
  path: string,
  condition: Sql,
  run: SuggestRun,
): Promise<[string, number][]> {
  const held = heldWords(searched, path)
  if (!held) return []
  const { from, where, context } = searched
  const words = sql`SELECT arrayJoin(arrayDistinct(${held})) AS w FROM ${from} WHERE ${where}`
  const statement = sql`SELECT w, count() AS n FROM (${words}) WHERE ${condition} GROUP BY w ORDER BY n DESC, w LIMIT ${num(nearWordsMax)}`
  const rows = await run.engine.rows(statement, run.read)
  const decode = context.field(path)?.words === undefined ? (word: string) => word : decodeWord
  return rows.map(([word, count]) => [decode(String(word)), Number(count)])
}

/** The words of a row's values; of a keyword the values themselves. */
function heldWords({ context, columns: lookup }: SuggestRows, path: string): Sql | undefined {
  const field = context.field(path)
  if (!field?.valueType) return undefined
  const columns = columnsOf({ path: field.path, type: field.valueType }, lookup)
  if (!columns) return undefined
  const { one, many } = columns
  const [single, several] =
    field.valueType === 'text'
      ? [tokensOf(one), many && tokensOfMany(many)]
      : [sql`if(isNull(${one}), [], [assumeNotNull(${one})])`, many]
  return several === undefined ? single : sql`arrayConcat(${single}, ${several})`
}

function written(word: string, { context }: SuggestRows, path: string): string {
  return context.field(path)?.words === undefined ? word : encodeWord(word)
}

function add(to: Map<string, number>, word: string, count: number): void {
  to.set(word, (to.get(word) ?? 0) + count)
}
