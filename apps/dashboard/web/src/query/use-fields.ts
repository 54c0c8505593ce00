import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Field, fieldsOf } from '../api/search.ts'
import { typesOf } from './build-query.ts'

const fieldsStaleMs = 60_000
const noFields: readonly Field[] = []

/** The fields of an index pattern and their types, kept for a minute. */
export function useFields(pattern: string | undefined) {
  const query = useQuery({
    queryKey: ['fields', pattern],
    queryFn: ({ signal }) => fieldsOf(pattern ?? '', signal),
    enabled: pattern !== undefined,
    staleTime: fieldsStaleMs,
  })
  const fields = query.data ?? noFields
  const types = useMemo(() => typesOf(fields), [fields])
  return { fields, types, error: query.error, settled: !query.isPending || pattern === undefined }
}
