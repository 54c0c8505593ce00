import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type Field, search } from '../api/search.ts'
import type { ResolvedRange } from '../time/time-range.ts'
import { timeClause } from './build-query.ts'
import { containing } from './containing.ts'

/** Where the values that are offered come from: the page's pattern and range. */
export interface ValueSource {
  /** Names of indices, with commas between them. */
  readonly index: string
  readonly timeField: string | undefined
  readonly range: ResolvedRange
}

const typingPauseMs = 200
const valuesMax = 10
const none: readonly string[] = []
const words = new Set(['keyword', 'constant_keyword', 'wildcard'])

/** The most frequent values of a field that hold what was typed, of the indices that can tell; none while it is not known, or of fields that cannot be counted. */
export function useValues(source: ValueSource, field: Field | undefined, typed: string): readonly string[] {
  const [wanted] = useDebouncedValue(typed, typingPauseMs)
  const found = useQuery({
    queryKey: ['values', source, field?.name, wanted],
    queryFn: async ({ signal }) => {
      // Only words can be looked for by a part of them; of addresses and numbers the most frequent are offered.
      const include = wanted !== '' && words.has(field?.type ?? '') ? { include: containing(wanted) } : {}
      const aggs = { values: { terms: { field: field?.name, size: valuesMax, ...include } } }
      const filter = source.timeField ? [timeClause(source.timeField, source.range)] : []
      const body = { size: 0, track_total_hits: false, query: { bool: { filter } }, aggs }
      const { aggregations } = await search(source.index, body, signal, { partial: true })
      const { buckets = [] } = (aggregations?.['values'] ?? {}) as { buckets?: readonly Bucket[] }
      return buckets.map(({ key, key_as_string }) => key_as_string ?? String(key))
    },
    enabled: field?.aggregatable === true,
  })
  return found.data ?? none
}

interface Bucket {
  readonly key: string | number
  readonly key_as_string?: string
}
