import type { AlertRule, RuleTrial } from '@logstack/contracts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { request } from '../../api/client.ts'
import { search } from '../../api/search.ts'

/** The index the alerter writes how its rules fare into. */
const rulesIndex = '.logstack-alerts-rules'
const trialsIndex = '.logstack-alerts-trials'
const rulesMax = 10_000
const refetchMs = 10_000
const trialPollMs = 1000

/** The folder that rule files of the dashboard seem to be in. */
export const storedFolder = 'dashboard/'

/** A rule and its id, without its text. */
export interface ListedRule extends Omit<AlertRule, 'text'> {
  readonly id: string
}

/** All rules that are there, those with problems first. Sigma rules run together, so the last run of one is that of all. */
export function useRules() {
  return useQuery({
    queryKey: ['rules'],
    queryFn: async ({ signal }) => {
      const body = {
        size: rulesMax,
        _source: { excludes: ['text'] },
        query: { bool: { must_not: [{ term: { state: 'gone' } }] } },
      }
      const answer = await search(rulesIndex, body, signal)
      // The index is strict, so what is in it has this form.
      const rules = answer.hits.hits.map(
        (hit): ListedRule => ({ id: hit._id, ...(hit._source as unknown as AlertRule) }),
      )
      return withLastRun(rules).sort(
        (left, right) => Number(hasProblem(right)) - Number(hasProblem(left)) || left.name.localeCompare(right.name),
      )
    },
    refetchInterval: refetchMs,
    placeholderData: keepPreviousData,
  })
}

function withLastRun(rules: readonly ListedRule[]): ListedRule[] {
  const isTogether = ({ kind, state }: ListedRule): boolean => kind === 'sigma' && state === 'running'
  const last = rules
    .filter(isTogether)
    .map((rule) => rule.last_run)
    .filter((time) => time !== undefined)
    .sort()
    .at(-1)
  return rules.map((rule) => (isTogether(rule) && last !== undefined ? { ...rule, last_run: last } : rule))
}

/** The file of a rule as it is written; undefined when the alerter has not told it. */
export function useRuleText(id: string | undefined) {
  return useQuery({
    queryKey: ['rules', 'text', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => {
      const answer = await search(rulesIndex, { size: 1, _source: ['text'], query: { ids: { values: [id] } } }, signal)
      const text = answer.hits.hits[0]?._source?.['text']
      return typeof text === 'string' ? text : null
    },
  })
}

/** Whether a rule cannot run, or failed at its last run. */
export function hasProblem({ state, error }: Pick<AlertRule, 'state' | 'error'>): boolean {
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

/** Writes a rule file of the dashboard; the alerter takes it up within seconds. */
export function useSaveRule() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ name, text }: { name: string; text: string }) =>
      request(`api/alert-rule-files/${encodeURIComponent(name)}`, { method: 'PUT', json: { text } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['rules'] }),
  })
}

/** Removes a rule file of the dashboard. */
export function useDeleteRule() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => request(`api/alert-rule-files/${encodeURIComponent(name)}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['rules'] }),
  })
}

/** Asks for a test run of a rule over the last so many milliseconds; answers the id under which it can be watched. */
export function useAskTrial() {
  return useMutation({
    mutationFn: async ({ text, spanMs }: { text: string; spanMs: number }) => {
      const now = Date.now()
      const [from, to] = [now - spanMs, now].map((time) => new Date(time).toISOString())
      const { id } = await request<{ id: string }>('api/alert-rule-trials', {
        method: 'POST',
        json: { text, from, to },
      })
      return id
    },
  })
}

/** A test run, asked for again until it is over. */
export function useTrial(id: string | undefined) {
  return useQuery({
    queryKey: ['rule-trial', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => {
      const answer = await search(trialsIndex, { size: 1, query: { ids: { values: [id] } } }, signal)
      return (answer.hits.hits[0]?._source as unknown as RuleTrial | undefined) ?? null
    },
    refetchInterval: ({ state }) =>
      state.data?.state === 'done' || state.data?.state === 'failed' ? false : trialPollMs,
  })
}
