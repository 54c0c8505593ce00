import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Hit, search } from '../api/search.ts'
import { flatten } from '../fields/flatten.ts'
import { formatValue } from '../format/format.ts'
import { sourceWanted } from '../kibana/source-filters.ts'
import { ErrorState, LoadingState } from '../shell/states.tsx'
import { formatInstant } from '../time/time-range.ts'
import { messages } from './messages.ts'

/** Where the neighbours of a document are looked for. */
export interface Neighbourhood {
  /** Names of indices, `logs-*`. */
  readonly index: string
  readonly timeField: string
  /** Fields that documents are shown without, with wildcards. */
  readonly leavesOut?: readonly string[] | undefined
}

const atFirst = 5
const more = 10

interface SurroundingProps extends Neighbourhood {
  readonly hit: Hit
  readonly columns: readonly string[]
}

/** What happened on the same indices just before and after a document, whatever the page's query and filters. */
export function Surrounding({ hit, index, timeField, leavesOut, columns }: SurroundingProps) {
  const [{ newer, older }, setCounts] = useState({ newer: atFirst, older: atFirst })
  const at = timeOf(hit, timeField)
  const found = useQuery({
    queryKey: ['surrounding', index, hit._index, hit._id, newer, older],
    queryFn: async ({ signal }) => {
      const side = (limit: 'gte' | 'lte', order: 'asc' | 'desc', size: number) =>
        search(
          index,
          {
            // One more than wanted: the document itself lies at the limit.
            size: size + 1,
            query: { bool: { filter: [{ range: { [timeField]: { [limit]: at } } }] } },
            sort: [{ [timeField]: { order } }],
            ...sourceWanted(leavesOut),
          },
          signal,
        )
      const [after, before] = await Promise.all([side('gte', 'asc', newer), side('lte', 'desc', older)])
      return around(hit, after.hits.hits, before.hits.hits)
    },
    enabled: at !== undefined,
  })
  if (at === undefined) return <Text size="sm">{messages.noTime}</Text>
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <LoadingState />
  return (
    <Stack gap="xs" align="flex-start">
      <More label={messages.newer} onClick={() => setCounts({ newer: newer + more, older })} />
      <table className="documents-fields documents-around">
        <tbody>
          {found.data.map((one) => (
            <tr key={`${one._index}/${one._id}`} aria-current={one === hit ? 'true' : undefined}>
              <td className="mono">{formatInstant(new Date(String(timeOf(one, timeField))).getTime())}</td>
              <td>{wordsOf(one, columns, timeField)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <More label={messages.older} onClick={() => setCounts({ newer, older: older + more })} />
    </Stack>
  )
}

function More({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Group>
      <Button size="compact-xs" variant="default" onClick={onClick}>
        {label}
      </Button>
    </Group>
  )
}

/** Newest first, each document once, the one that is looked at between those after and before it. */
function around(hit: Hit, after: readonly Hit[], before: readonly Hit[]): Hit[] {
  const keyOf = (one: Hit): string => `${one._index}/${one._id}`
  const seen = new Set([keyOf(hit)])
  const fresh = (hits: readonly Hit[]): Hit[] =>
    hits.filter((one) => {
      const isNew = !seen.has(keyOf(one))
      seen.add(keyOf(one))
      return isNew
    })
  return [...fresh(after).reverse(), hit, ...fresh(before)]
}

function timeOf(hit: Hit, timeField: string): string | number | undefined {
  const value = flatten(hit._source ?? {}).get(timeField)
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' || typeof first === 'number' ? first : undefined
}

function wordsOf(hit: Hit, columns: readonly string[], timeField: string): string {
  const fields = flatten(hit._source ?? {})
  const names = columns.length > 0 ? columns : ['host.name', 'message']
  const shown = names.filter((name) => fields.has(name))
  const all = shown.length > 0 ? shown : [...fields.keys()].filter((name) => name !== timeField).slice(0, 8)
  return all.map((name) => formatValue(fields.get(name))).join(' · ')
}
