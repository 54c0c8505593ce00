import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { printJson } from '../json/print-json.ts'
import { parseExactJson } from '../json/source-json.ts'

/** What a server answered to a query, as it is kept. */
export interface RecordedAnswer {
  readonly columns?: readonly { readonly name: string; readonly type: string }[]
  /** Of each row its cells; numbers that no double holds are bigints. */
  readonly values?: readonly (readonly unknown[])[]
  readonly warnings?: readonly string[]
  readonly error?: { readonly type: string; readonly reason: string }
  readonly status?: number
}

/** A query with what its request says beside it (`with`), its answer, and where ours is known to be another: `differs` of columns, values and errors, `warningsDiffer` of warnings. */
export interface RecordedCase extends RecordedAnswer {
  readonly query: string
  readonly with?: Readonly<Record<string, unknown>>
  readonly differs?: string
  readonly warningsDiffer?: string
}

/** An index of a file. */
interface RecordedIndex {
  readonly mappings: unknown
  readonly settings?: unknown
  readonly aliases?: unknown
  readonly documents: readonly unknown[]
}

/** A file of recorded answers: the server that gave them, and the indices they are about. */
export interface RecordedFile {
  readonly about: string
  /** The version of Elasticsearch. */
  readonly server: string
  readonly indices: Readonly<Record<string, RecordedIndex>>
  /** Enrich policies, by name; they are executed once the documents are there. */
  readonly policies?: Readonly<Record<string, unknown>>
  readonly cases: readonly RecordedCase[]
}

/** Asks a server. */
export type Ask = (
  path: string,
  request: { readonly method: string; readonly body?: string },
) => Promise<{
  readonly status: number
  readonly warning: string | undefined
  readonly text: string
}>

/** The files of recorded answers of a folder, by name. */
export function recordedFiles(folder: string): readonly (readonly [name: string, file: RecordedFile])[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names.sort().map((name) => [name, readRecorded(join(folder, name))] as const)
}

/** Reads a file of recorded answers. */
export function readRecorded(file: string): RecordedFile {
  return parseExactJson(readFileSync(file, 'utf8')) as RecordedFile
}

/** A file of recorded answers as text: a case a line, so that a change of one shows as one. */
export function printRecorded({ cases, indices, ...head }: RecordedFile): string {
  const tables = Object.entries(indices).map(([name, { documents, ...made }]) => {
    const lines = documents.map((each) => `      ${printJson(each)}`).join(',\n')
    return `    ${JSON.stringify(name)}: {${printJson(made).slice(1, -1)},"documents":[\n${lines}\n    ]}`
  })
  const members = [
    ...Object.entries(head).map(([name, value]) => `  ${JSON.stringify(name)}: ${printJson(value)}`),
    `  "indices": {${tables.length === 0 ? '' : `\n${tables.join(',\n')}\n  `}}`,
    `  "cases": [\n${cases.map((each) => `    ${printJson(each)}`).join(',\n')}\n  ]`,
  ]
  return `{\n${members.join(',\n')}\n}\n`
}

/** Makes the indices of a file with their documents, and its policies. Throws where one is refused, as where there already is such an index. */
export async function makeIndices(ask: Ask, { indices, policies = {} }: RecordedFile): Promise<void> {
  for (const [name, { documents, ...body }] of Object.entries(indices)) {
    const made = await ask(`/${name}`, { method: 'PUT', body: printJson(body) })
    if (made.status !== 200) throw new Error(made.text)
    const lines = documents.flatMap((each, at) => [`{"index":{"_id":"${at + 1}"}}`, printJson(each)])
    if (documents.length === 0) continue
    const written = await ask(`/${name}/_bulk?refresh=true`, { method: 'POST', body: `${lines.join('\n')}\n` })
    if (written.status !== 200 || written.text.includes('"errors":true')) throw new Error(written.text)
  }
  for (const [name, policy] of Object.entries(policies)) {
    const made = await ask(`/_enrich/policy/${name}`, { method: 'PUT', body: printJson(policy) })
    const executed = await ask(`/_enrich/policy/${name}/_execute`, { method: 'PUT' })
    for (const { status, text } of [made, executed]) if (status !== 200) throw new Error(text)
  }
}

/** Removes what `makeIndices` made. */
export async function removeIndices(ask: Ask, { indices, policies = {} }: RecordedFile): Promise<void> {
  for (const name of Object.keys(policies)) await ask(`/_enrich/policy/${name}`, { method: 'DELETE' })
  for (const name of Object.keys(indices)) await ask(`/${name}`, { method: 'DELETE' })
}

/** Asks a query, as an answer that can be kept. */
export async function askQuery(
  ask: Ask,
  { query, with: beside }: Pick<RecordedCase, 'query' | 'with'>,
): Promise<RecordedAnswer> {
  const { status, text, warning } = await ask('/_query', { method: 'POST', body: printJson({ query, ...beside }) })
  const body = parseExactJson(text) as {
    readonly columns: RecordedAnswer['columns']
    readonly values: RecordedAnswer['values']
    readonly error?: { readonly type: string; readonly reason: string }
  }
  if (body.error) return { error: { type: body.error.type, reason: body.error.reason }, status }
  const warnings = warningsOf(warning)
  const { columns = [], values = [] } = body
  return { columns, values, ...(warnings.length === 0 ? {} : { warnings }) }
}

/** The texts of a header of warnings. */
function warningsOf(header = ''): readonly string[] {
  const texts = [...header.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/gu)]
  return texts.map(([, text = '']) => text.replaceAll(/\\(.)/gu, '$1'))
}
