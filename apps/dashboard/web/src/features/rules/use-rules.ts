import type { AlertRule } from '@logstack/contracts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { request } from '../../api/client.ts'
import { search } from '../../api/search.ts'

/** The index the alerter writes how its rules fare into; a pattern, so that it may be absent. */
const rulesIndices = '.logstack-alerts-rules*'
const rulesMax = 10_000
const refetchMs = 10_000

/** A rule and its id. */
export interface ListedRule extends AlertRule {
  readonly id: string
}

/** All rules that are there, those with problems first. */
export function useRules() {
  return useQuery({
    queryKey: ['rules'],
    queryFn: async ({ signal }) => {
      const body = { size: rulesMax, query: { bool: { must_not: [{ term: { state: 'gone' } }] } } }
      const answer = await search(rulesIndices, body, signal)
      // The index is strict and only the alerter writes it, so what is in it has this form.
      const rules = answer.hits.hits.map(
        (hit): ListedRule => ({ id: hit._id, ...(hit._source as unknown as AlertRule) }),
      )
      return rules.sort(
        (left, right) => Number(hasProblem(right)) - Number(hasProblem(left)) || left.name.localeCompare(right.name),
      )
    },
    refetchInterval: refetchMs,
    placeholderData: keepPreviousData,
  })
}

/** Whether a rule cannot run, or failed at its last run. */
export function hasProblem({ state, error }: AlertRule): boolean {
  return state === 'broken' || (error !== null && error !== undefined)
}

/** Switches a rule off or on; the alerter follows within seconds. */
export function useSwitchRule() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, off }: { id: string; off: boolean }) =>
      request(`api/alert-rules/${encodeURIComponent(id)}/switch`, { method: 'PUT', json: { off } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['rules'] }),
  })
}
