import { useQuery } from '@tanstack/react-query'
import { readSearch } from '../../../api/search.ts'
import { indicesOf } from '../../../esql/query-text.ts'
import { suggestEsql } from '../../../esql/suggest.ts'
import { SuggestionList } from '../../../query/suggestions.tsx'
import { useFields } from '../../../query/use-fields.ts'

const namesStaleMs = 60_000

interface Named {
  readonly name: string
}

type Resolved = Readonly<Record<'indices' | 'aliases' | 'data_streams', readonly Named[]>>

interface Props {
  readonly text: string
  readonly cursor: number
  /** Patterns of indices that the dashboard knows, beside the indices that there are. */
  readonly patterns: readonly string[]
}

/** What may be written next in ES|QL. It exists while it is shown: what it looks up ends with it. */
export function EsqlSuggestions({ text, cursor, patterns }: Props) {
  const { fields } = useFields(indicesOf(text))
  const found = useQuery({
    queryKey: ['index-names'],
    queryFn: async ({ signal }) => {
      const { indices, aliases, data_streams: streams } = await readSearch<Resolved>('_resolve/index/*', signal)
      return [...streams, ...aliases, ...indices].map(({ name }) => name)
    },
    staleTime: namesStaleMs,
  })
  const types = new Map(fields.map(({ name, type }) => [name, type]))
  const indices = [...new Set([...patterns, ...(found.data ?? [])])]
  const completion = suggestEsql(text, cursor, { indices, fields: [...types.keys()] })
  if (!completion) return null
  const options = completion.options.map((option) => ({ ...option, type: types.get(option.label) }))
  return <SuggestionList from={completion.from} options={options} />
}
