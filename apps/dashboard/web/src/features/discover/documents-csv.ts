import { calculatedWanted } from '../../api/calculated-fields.ts'
import { type Hit, search } from '../../api/search.ts'
import { fieldsOfHit } from '../../documents/fields-of-hit.ts'
import { csvOf } from '../../export/csv.ts'
import { downloadFile, fileName } from '../../export/download.ts'
import { sourceWanted } from '../../kibana/source-filters.ts'
import { documentsMax } from './use-discover.ts'

const pageSize = 1_000

/** Downloads the documents of a search, in its order, up to the number that can be scrolled through. Values stay as they were sent. */
export async function downloadDocuments(asked: {
  readonly index: string
  readonly query: unknown
  readonly sort: unknown
  readonly timeField: string | undefined
  /** Fields that documents are shown without, with wildcards. */
  readonly leavesOut: readonly string[]
  /** None for all fields that the documents have. */
  readonly columns: readonly string[]
}): Promise<void> {
  const hits: Hit[] = []
  const wanted = { ...calculatedWanted(asked.index), ...sourceWanted(asked.leavesOut) }
  for (let from = 0; from < documentsMax; from += pageSize) {
    const body = { from, size: pageSize, track_total_hits: false, query: asked.query, sort: asked.sort, ...wanted }
    const page = (await search(asked.index, body)).hits.hits
    hits.push(...page)
    if (page.length < pageSize) break
  }
  downloadFile(fileName(asked.index, 'csv'), new Blob([documentsCsv(hits, asked)], { type: 'text/csv;charset=utf-8' }))
}

/** Documents as CSV: their time, then the columns, or every field that any of them has. */
export function documentsCsv(
  hits: readonly Hit[],
  { timeField, columns }: { readonly timeField: string | undefined; readonly columns: readonly string[] },
): string {
  const documents = hits.map(fieldsOfHit)
  const all = columns.length > 0 ? columns : [...new Set(documents.flatMap((fields) => [...fields.keys()]))].sort()
  const names = [...new Set([...(timeField === undefined ? [] : [timeField]), ...all])]
  return csvOf(
    names,
    documents.map((fields) => names.map((name) => csvText(fields.get(name)))),
  )
}

function csvText(value: unknown): string | number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' || typeof value === 'string') return value
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ')
  return JSON.stringify(value)
}
