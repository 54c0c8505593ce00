import { useQuery } from '@tanstack/react-query'
import { readSearch } from '../api/search.ts'

const namesStaleMs = 60_000
const none: readonly string[] = []

interface Named {
  readonly name: string
}

type Resolved = Readonly<Record<'indices' | 'aliases' | 'data_streams', readonly Named[]>>

/** The names of data streams, aliases and indices that the user may see, kept for a minute; none while they are not known or cannot be read. */
export function useIndexNames(): readonly string[] {
  const found = useQuery({
    queryKey: ['index-names'],
    queryFn: async ({ signal }) => {
      const { indices, aliases, data_streams: streams } = await readSearch<Resolved>('_resolve/index/*', signal)
      return [...streams, ...aliases, ...indices].map(({ name }) => name)
    },
    staleTime: namesStaleMs,
  })
  return found.data ?? none
}
