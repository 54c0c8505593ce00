import { z } from 'zod'
import type { DoctorContext } from '../doctor/define-fault.ts'
import { askSearch } from './search-answers.ts'

/** An index of events and what it takes. */
export interface SizedIndex {
  readonly name: string
  readonly bytes: number
  readonly events: number
}

const rowsSchema = z.array(z.record(z.string(), z.string().nullable()))
const path = '/_cat/indices?format=json&bytes=b&expand_wildcards=all&h=index,docs.count,store.size&s=store.size:desc'

/** The indices of events, the largest first; the stack's own state is not among them. */
export async function largestIndices(context: DoctorContext): Promise<SizedIndex[]> {
  const rows = (await askSearch(context, { path, answer: rowsSchema })) ?? []
  return rows
    .map((row) => ({
      name: row['index'] ?? '',
      bytes: Number(row['store.size'] ?? 0),
      events: Number(row['docs.count'] ?? 0),
    }))
    .filter(({ name }) => name !== '' && !name.startsWith('.logstack-'))
}
