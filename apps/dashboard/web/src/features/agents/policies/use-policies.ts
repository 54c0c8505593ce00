import type { PolicyInput } from '@logstack/contracts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { request } from '../../../api/client.ts'
import type { PolicyDraft } from './policy-draft.ts'

/** A policy as agent-server shows it. */
export interface ShownPolicy {
  readonly id: string
  readonly name: string
  readonly revision: number
  /** The version of the shipped policy it follows; 0 once somebody edited it. */
  readonly shipped_version: number
  readonly updated_at: string
  readonly inputs: readonly PolicyInput[]
  /** Absent where those that are shipped hold. */
  readonly collect_paths?: readonly string[]
}

export const policiesKey = ['agents', 'policies'] as const
const policyKey = (id: string) => [...policiesKey, id]
const pathOf = (id: string) => `api/agent-policies/${encodeURIComponent(id)}`

/** The policies, for administrators. */
export function usePolicies() {
  return useQuery({
    queryKey: policiesKey,
    queryFn: ({ signal }) => request<{ items: readonly ShownPolicy[] }>('api/agent-policies', { signal }),
  })
}

/** One policy. Not read again by itself: what is typed belongs to the revision that was read. */
export function usePolicy(id: string) {
  return useQuery({
    queryKey: policyKey(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }) => (await request<{ item: ShownPolicy }>(pathOf(id), { signal })).item,
  })
}

/** Stores a draft as the revision after `of`. */
export function useSavePolicy(of: ShownPolicy) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ name, inputs, collectPaths }: PolicyDraft) => {
      const json = { name, inputs, revision: of.revision, ...(collectPaths ? { collect_paths: collectPaths } : {}) }
      return (await request<{ item: ShownPolicy }>(pathOf(of.id), { method: 'PUT', json })).item
    },
    onSuccess: async (saved) => {
      client.setQueryData(policyKey(of.id), saved)
      await client.invalidateQueries({ queryKey: policiesKey, exact: true })
    },
  })
}
