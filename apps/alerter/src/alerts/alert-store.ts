import { type AlertDocument, type AlertNotification, alertDocumentSchema, alertsIndex } from '@logstack/contracts'
import { AppError, platformErrors } from '@logstack/errors'
import { type BulkResult, type SearchClient, sendBulk } from '@logstack/search-client'
import type { IdentifiedAlert } from '../channels/define-channel.ts'

/** Alerts that `pending` gives at one time. */
export const pendingMax = 1000

/** The alerts in search. */
export interface AlertStore {
  /** Writes alerts; answers those that were not there before. A second write of one id changes nothing. */
  create(alerts: readonly IdentifiedAlert[]): Promise<IdentifiedAlert[]>
  /** Writes the delivery state of one alert and leaves what people changed. */
  saveNotifications(id: string, notifications: readonly AlertNotification[]): Promise<void>
  /** Alerts with a notification that is still to be sent, oldest first, `pendingMax` at most. */
  pending(): Promise<IdentifiedAlert[]>
}

/** The alert store of a search server; its hidden index must exist. */
export function alertStore(client: SearchClient): AlertStore {
  const { name: index } = alertsIndex
  return {
    create: async (alerts) => {
      const actions = alerts.map(({ id, document }) => ({ action: 'create' as const, index, id, document }))
      const results = await sendBulk(client, actions)
      for (const result of results) if (result.status !== 409) assertDone(result)
      return alerts.filter((_alert, place) => results[place]?.status !== 409)
    },
    saveNotifications: async (id, notifications) => {
      const delivery: AlertDocument['logstack']['alert']['delivery'] = notifications.some(
        ({ state }) => state === 'pending',
      )
        ? 'pending'
        : 'done'
      const document = { doc: { logstack: { alert: { delivery, notifications } } } }
      const [result] = await sendBulk(client, [{ action: 'update', index, id, document }])
      // A person or retention may have deleted the alert meanwhile.
      if (result && result.status !== 404) assertDone(result)
    },
    pending: async () => {
      await client.request({ method: 'POST', path: `/${index}/_refresh` })
      const { body } = await client.request<{ hits: { hits: { _id: string; _source: unknown }[] } }>({
        method: 'POST',
        path: `/${index}/_search`,
        body: {
          size: pendingMax,
          query: { term: { 'logstack.alert.delivery': 'pending' } },
          sort: [{ '@timestamp': 'asc' }],
        },
      })
      return body.hits.hits.map((hit) => ({ id: hit._id, document: alertDocumentSchema.parse(hit._source) }))
    },
  }
}

function assertDone({ status, error }: BulkResult): void {
  if (status < 300) return
  throw new AppError(platformErrors.search_refused, `search did not write an alert: ${status} ${error?.reason ?? ''}`, {
    detail: { status, type: error?.type },
  })
}
