import type { DoctorContext } from '../checks/faults/define-fault.ts'
import { askSearch } from './search-answers.ts'

/** An index of events and what it takes. */
export interface SizedIndex {
  readonly name: string
  readonly bytes: number
  readonly events: number
  /** Whether events still go there: the newest index of a data stream, or one of no stream. */
  readonly isWritten: boolean
}

interface Stream {
  readonly indices: readonly { readonly index_name: string }[]
}

const path =
  '/_cat/indices?format=json&bytes=b&expand_wildcards=all&h=index,docs.count,store.size,creation.date&s=creation.date'

/** The indices of events, the oldest first; the stack's own state is not among them. */
export async function oldestIndices(context: DoctorContext): Promise<SizedIndex[]> {
  const rows = (await askSearch<readonly Readonly<Record<string, string | null>>[]>(context, path)) ?? []
  const streams = (await askSearch<{ data_streams?: readonly Stream[] }>(context, '/_data_stream'))?.data_streams ?? []
  const rolled = new Set(streams.flatMap(({ indices }) => indices.slice(0, -1).map(({ index_name }) => index_name)))
  return rows
    .map((row) => ({
      name: row['index'] ?? '',
      bytes: Number(row['store.size'] ?? 0),
      events: Number(row['docs.count'] ?? 0),
      isWritten: !rolled.has(row['index'] ?? ''),
    }))
    .filter(({ name }) => name !== '' && !name.startsWith('.logstack-'))
}
