import { useQuery } from '@tanstack/react-query'
import { request } from '../../api/client.ts'

/** A policy as lists show it. */
export interface ShownPolicy {
  readonly id: string
  readonly name: string
  readonly revision: number
  readonly updated_at: string
  readonly inputs: readonly { readonly id: string; readonly type: string }[]
}

export const policiesKey = ['agents', 'policies'] as const

/** The policies, for administrators. */
export function usePolicies() {
  return useQuery({
    queryKey: policiesKey,
    queryFn: ({ signal }) => request<{ items: readonly ShownPolicy[] }>('api/agent-policies', { signal }),
  })
}
