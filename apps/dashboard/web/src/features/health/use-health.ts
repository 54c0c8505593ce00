import type { HealthDocument } from '@logstack/contracts'
import { useQuery } from '@tanstack/react-query'
import { search } from '../../api/search.ts'

const healthIndex = '.logstack-health'
const refreshMs = 30_000
const checksMax = 500
/** Two looks that did not come: something keeps doctor from looking. */
const staleAfterMs = 12 * 60_000

/** What doctor saw when it last looked; undefined when it never did. */
export interface LastLook {
  /** Epoch milliseconds. */
  readonly time_ms: number
  readonly isStale: boolean
  readonly faults: readonly HealthDocument[]
  readonly others: readonly HealthDocument[]
}

/** The documents of doctor's last look, faults first, with the rights of whoever is logged in. */
export function useHealth() {
  return useQuery({
    queryKey: ['health', 'checks'],
    queryFn: async ({ signal }): Promise<LastLook | null> => {
      const answer = await search(healthIndex, { size: checksMax, query: { match_all: {} } }, signal)
      return lastLookOf(
        answer.hits.hits.map(({ _source }) => _source),
        Date.now(),
      )
    },
    refetchInterval: refreshMs,
  })
}

const statuses = ['fault', 'consequence', 'unknown', 'information', 'healthy']

/** Reads the documents of `.logstack-health`; null when there are none. One that this version does not understand is left out. */
export function lastLookOf(sources: readonly unknown[], nowMs: number): LastLook | null {
  const documents = sources.filter(isHealthDocument)
  if (documents.length === 0) return null
  const time_ms = Math.max(...documents.map((document) => Date.parse(document['@timestamp'])))
  const isTrouble = ({ status }: HealthDocument): boolean => status === 'fault' || status === 'consequence'
  const rank = ({ status }: HealthDocument): number => statuses.indexOf(status)
  const sorted = [...documents].sort((one, other) => rank(one) - rank(other) || one.title.localeCompare(other.title))
  return {
    time_ms,
    isStale: nowMs - time_ms > staleAfterMs,
    faults: sorted.filter(isTrouble),
    others: sorted.filter((document) => !isTrouble(document)),
  }
}

function isHealthDocument(source: unknown): source is HealthDocument {
  const { status, title, message, '@timestamp': time } = source as Partial<HealthDocument>
  return statuses.includes(status ?? '') && [title, message, time].every((text) => typeof text === 'string')
}
