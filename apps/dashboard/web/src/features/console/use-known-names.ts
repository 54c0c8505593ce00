import { useQuery } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { readSearch } from '../../api/search.ts'
import { sharedFields } from '../../query/shared-fields.ts'
import { indexAt, type KnownNames } from './complete.ts'

interface Resolved {
  readonly indices: readonly Named[]
  readonly aliases: readonly Named[]
  readonly data_streams: readonly Named[]
}
interface Named {
  readonly name: string
}

/** Looks up what the console completes: names of indices, and the fields of those that the request at an offset is about. What cannot be read is not offered. */
export function useKnownNames(): (text: string, offset: number) => Promise<KnownNames> {
  const found = useQuery({ queryKey: ['console', 'indices'], queryFn: ({ signal }) => indexNames(signal) })
  const indices = useRef<readonly string[]>([])
  indices.current = found.data ?? []
  return useCallback(async (text, offset) => {
    const index = indexAt(text, offset)
    const fields = index === undefined ? [] : await sharedFields(index).catch(() => [])
    return { indices: indices.current, fields: fields.map(({ name }) => name) }
  }, [])
}

async function indexNames(signal: AbortSignal): Promise<string[]> {
  const { indices, aliases, data_streams: streams } = await readSearch<Resolved>('_resolve/index/*', signal)
  return [...indices, ...aliases, ...streams].map(({ name }) => name)
}
