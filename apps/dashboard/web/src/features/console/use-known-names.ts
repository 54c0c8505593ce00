import { useCallback, useRef } from 'react'
import { sharedFields } from '../../query/shared-fields.ts'
import { useIndexNames } from '../../query/use-index-names.ts'
import { indexAt, type KnownNames } from './complete.ts'

/** Looks up what the console completes: names of indices, and the fields of those that the request at an offset is about. What cannot be read is not offered. */
export function useKnownNames(): (text: string, offset: number) => Promise<KnownNames> {
  const names = useIndexNames()
  const indices = useRef<readonly string[]>([])
  indices.current = names
  return useCallback(async (text, offset) => {
    const index = indexAt(text, offset)
    const fields = index === undefined ? [] : await sharedFields(index).catch(() => [])
    return { indices: indices.current, fields: fields.map(({ name }) => name) }
  }, [])
}
