import type { AlertDocument, AlertStatus } from '@logstack/contracts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { request } from '../../api/client.ts'
import { search } from '../../api/search.ts'
import { timeClause } from '../../query/build-query.ts'
import type { TimeState } from '../../time/use-time-range.ts'

/** The indices alerts are read from. */
const alertIndices = '.logstack-alerts'
const alertsMax = 500

/** An alert and its document's id. */
export interface Alert {
  readonly id: string
  readonly document: AlertDocument
}

/** Alerts of the time range, newest first. */
export function useAlerts(time: TimeState) {
  return useQuery({
    queryKey: ['alerts', time.resolved, time.round],
    queryFn: async ({ signal }) => {
      const body = {
        size: alertsMax,
        track_total_hits: true,
        // Silences, rules and copied matches are in indices of names that begin the same.
        query: { bool: { filter: [{ term: { 'event.kind': 'alert' } }, timeClause('@timestamp', time.resolved)] } },
        sort: [{ '@timestamp': { order: 'desc', unmapped_type: 'date' } }],
      }
      const answer = await search(alertIndices, body, signal)
      // The index is strict and only the alerter writes it, so what is in it has this form.
      const alerts = answer.hits.hits.map(
        (hit): Alert => ({ id: hit._id, document: hit._source as unknown as AlertDocument }),
      )
      return { alerts, total: answer.hits.total?.value ?? alerts.length }
    },
    placeholderData: keepPreviousData,
  })
}

/** Changes what people made of an alert. */
export function useSetAlertStatus() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, status }: { id: string; status: AlertStatus }) =>
      request(`api/alerts/${encodeURIComponent(id)}/status`, { method: 'PUT', json: { status } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['alerts'] }),
  })
}

/** Keeps the channels of a rule quiet for a while, for one key or for all. */
export function useSilence() {
  return useMutation({
    mutationFn: (silence: { rule: string; key?: string; minutes: number }) =>
      request('api/alert-silences', { method: 'POST', json: silence }),
  })
}
