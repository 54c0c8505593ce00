import type { AlertDocument, AlertSeverity, AlertSilence, AlertStatus } from '@logstack/contracts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { request } from '../../api/client.ts'
import { search } from '../../api/search.ts'
import { timeClause } from '../../query/build-query.ts'
import { resolveRange } from '../../time/time-range.ts'
import type { TimeState } from '../../time/use-time-range.ts'

/** The index alerts are read from. Indices whose names begin the same hold silences, rules and copied matches. */
const alertIndex = '.logstack-alerts'
const silenceIndex = '.logstack-alerts-silences'
const alertsMax = 500
const silencesMax = 500
const eventsMax = 20
const changesAtOnceMax = 5
const refetchMs = 15_000

/** An alert and its document's id. */
export interface Alert {
  readonly id: string
  readonly document: AlertDocument
}

/** Which alerts are wanted; without a value all are. */
export interface AlertFilter {
  readonly status?: AlertStatus | undefined
  readonly severity?: AlertSeverity | undefined
  /** Alerts of one rule, by its id. */
  readonly rule?: string | undefined
}

/** Alerts of the time range, newest first. */
export function useAlerts(time: TimeState, { status, severity, rule }: AlertFilter) {
  const wanted = { 'logstack.alert.status': status, 'logstack.alert.severity': severity, 'rule.id': rule }
  const terms = Object.entries(wanted).flatMap(([field, value]) =>
    value === undefined ? [] : [{ term: { [field]: value } }],
  )
  return useQuery({
    queryKey: ['alerts', time.range, time.round, terms],
    queryFn: async ({ signal }) => {
      // Asked again by itself, so "now" is when it is asked: an alert of a moment ago belongs in the list.
      const range = resolveRange(time.range, new Date())
      const body = {
        size: alertsMax,
        track_total_hits: true,
        query: { bool: { filter: [timeClause('@timestamp', range), ...terms] } },
        sort: [{ '@timestamp': { order: 'desc', unmapped_type: 'date' } }],
      }
      const answer = await search(alertIndex, body, signal)
      const alerts = answer.hits.hits.map(alertOf)
      return { alerts, total: answer.hits.total?.value ?? alerts.length }
    },
    refetchInterval: refetchMs,
    placeholderData: keepPreviousData,
  })
}

/** One alert by its id, wherever in time it is; undefined when there is none. */
export function useAlert(id: string | undefined) {
  return useQuery({
    queryKey: ['alerts', 'one', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => {
      const answer = await search(alertIndex, { size: 1, query: { ids: { values: [id] } } }, signal)
      const [hit] = answer.hits.hits
      return hit ? alertOf(hit) : null
    },
    placeholderData: keepPreviousData,
  })
}

// The index is strict, so what is in it has this form.
function alertOf(hit: { readonly _id: string; readonly _source?: Readonly<Record<string, unknown>> }): Alert {
  return { id: hit._id, document: hit._source as unknown as AlertDocument }
}

/** An event that led to an alert. */
export interface AlertEvent {
  readonly id: string
  readonly time: string | undefined
  readonly text: string
}

/** The events of an alert as far as they are still there, oldest first, the newest 20. */
export function useAlertEvents({ id, document }: Alert) {
  const events = document.logstack.alert.events.slice(-eventsMax)
  return useQuery({
    queryKey: ['alert-events', id],
    enabled: events.length > 0,
    queryFn: async ({ signal }) => {
      const indices = [...new Set(events.map(({ index }) => index))].join(',')
      const body = { size: eventsMax, query: { ids: { values: events.map((event) => event.id) } } }
      const { hits } = await search(indices, body, signal)
      return hits.hits
        .map(({ _id, _source = {} }): AlertEvent => {
          const { '@timestamp': time, message } = _source
          const text = typeof message === 'string' ? message : JSON.stringify(_source)
          return { id: _id, time: typeof time === 'string' ? time : undefined, text }
        })
        .sort((left, right) => Date.parse(left.time ?? '') - Date.parse(right.time ?? ''))
    },
  })
}

/** Changes what people made of alerts, some at a time. */
export function useSetAlertStatus() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ ids, status }: { ids: readonly string[]; status: AlertStatus }) => {
      for (let from = 0; from < ids.length; from += changesAtOnceMax) {
        const change = (id: string): Promise<unknown> =>
          request(`api/alerts/${encodeURIComponent(id)}/status`, { method: 'PUT', json: { status } })
        await Promise.all(ids.slice(from, from + changesAtOnceMax).map(change))
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['alerts'] }),
  })
}

/** A silence and its document's id. */
export interface Silence extends AlertSilence {
  readonly id: string
}

/** The silences that hold now. */
export function useSilences() {
  return useQuery({
    queryKey: ['alert-silences'],
    queryFn: async ({ signal }) => {
      const body = { size: silencesMax, query: { range: { until: { gt: 'now' } } }, sort: [{ until: 'asc' }] }
      const answer = await search(silenceIndex, body, signal)
      return answer.hits.hits.map((hit): Silence => ({ id: hit._id, ...(hit._source as unknown as AlertSilence) }))
    },
    refetchInterval: refetchMs,
  })
}

/** Keeps the channels of a rule quiet for a while, for one key or for all. */
export function useSilence() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (silence: { rule: string; key?: string; minutes: number; reason?: string }) =>
      request('api/alert-silences', { method: 'POST', json: silence }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['alert-silences'] }),
  })
}

/** Lets the channels be heard again. */
export function useEndSilence() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => request(`api/alert-silences/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['alert-silences'] }),
  })
}
