import { useQuery } from '@tanstack/react-query'
import { EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { manage } from '../api/manage.ts'
import { EmptyState, LoadingState } from './states.tsx'

const words = {
  title: 'You may not see this',
  text: (index: string) =>
    `None of your roles lets you read ${index}. Whoever administers the stack can give you one: the index ${index}*, the privilege read, and "allow_restricted_indices": true.`,
}

/**
 * Stands where one of the stack's own indices shows nothing: that there is nothing, as the caller says it, or that the user may not read the index. Search
 * answers both alike, and who takes the one for the other believes that all is quiet.
 */
export function NothingInIndex({ index, children }: { readonly index: string; readonly children: ReactNode }) {
  const mayRead = useQuery({
    queryKey: ['privileges', 'index', index],
    queryFn: async ({ signal }) => {
      const json = { index: [{ names: [index], privileges: ['read'], allow_restricted_indices: true }] }
      const path = '_security/user/_has_privileges'
      return (await manage<{ has_all_requested: boolean }>('POST', path, { json, signal })).has_all_requested
    },
  })
  if (mayRead.isPending) return <LoadingState />
  if (mayRead.data !== false) return children
  return (
    <EmptyState title={words.title} icon={<EyeOff size={32} strokeWidth={1.5} />}>
      {words.text(index)}
    </EmptyState>
  )
}
