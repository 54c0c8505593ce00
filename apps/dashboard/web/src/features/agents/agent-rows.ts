import { agentIndices, wazuhAgentStatus, wazuhAgentsIndex } from '@logstack/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Hit, type SearchAnswer, search } from '../../api/search.ts'
import { agentsQuestion, wazuhAgentsQuestion, wazuhStates } from './agents-question.ts'

const refreshMs = 10_000
/** How our own agents can be, as agent-server says it. */
export const ownStates = ['online', 'updating', 'unhealthy', 'offline'] as const
const none: SearchAnswer = { hits: { hits: [] } }

/** An agent of either kind as the list shows it; what is not known is undefined. */
export interface AgentRow {
  readonly kind: 'logstack' | 'wazuh'
  readonly id: string
  readonly host: string
  readonly state: string
  readonly system: string | undefined
  readonly policy: string | undefined
  readonly version: string | undefined
  /** Where a Wazuh agent was connected from last. */
  readonly address: string | undefined
  /** ISO 8601 */
  readonly seen: string | undefined
  readonly hit: Hit
}

/** The agents of both kinds by the names of their hosts: all, or those whose name has `find` in it and that are in `state`. `total` counts those that are not among the rows, too. */
export function useAgentRows(find: string, state: string | null) {
  const isWazuhState = wazuhStates.some((one) => one === state)
  const isOwnState = ownStates.some((one) => one === state)
  const options = { refetchInterval: refreshMs, placeholderData: keepPreviousData }
  const own = useQuery({
    ...options,
    queryKey: ['agents', find, state],
    queryFn: async ({ signal }) =>
      isWazuhState ? none : search(agentIndices.agents.name, agentsQuestion(find, state), signal),
  })
  const wazuh = useQuery({
    ...options,
    queryKey: ['agents', 'wazuh', find, state],
    queryFn: async ({ signal }) =>
      isOwnState ? none : search(wazuhAgentsIndex.name, wazuhAgentsQuestion(find, state, Date.now()), signal),
  })
  const { hits: owns } = own.data ?? none
  const { hits: wazuhs } = wazuh.data ?? none
  const now = Date.now()
  const rows = [...owns.hits.map(ownRow), ...wazuhs.hits.map((hit) => wazuhRow(hit, now))]
  return {
    rows: rows.sort((left, right) => left.host.localeCompare(right.host)),
    total: [owns, wazuhs].reduce((sum, { total, hits }) => sum + (total?.value ?? hits.length), 0),
    isPending: own.isPending || wazuh.isPending,
    error: own.error ?? wazuh.error,
    retry: () => void Promise.all([own.refetch(), wazuh.refetch()]),
  }
}

function ownRow(hit: Hit): AgentRow {
  const read = readerOf(hit)
  return {
    kind: 'logstack',
    id: hit._id,
    host: read('host_name') ?? hit._id,
    state: read('status') ?? '-',
    system: read('os_name'),
    policy: read('policy_id'),
    version: read('agent_version'),
    address: undefined,
    seen: read('last_checkin'),
    hit,
  }
}

/** A Wazuh agent's row at `now`, milliseconds since 1970. */
function wazuhRow(hit: Hit, now: number): AgentRow {
  const read = readerOf(hit)
  return {
    kind: 'wazuh',
    id: hit._id,
    host: read('name') ?? hit._id,
    state: wazuhAgentStatus({ connected: read('connected') === 'true', last_seen: read('last_seen') }, now),
    system: read('os'),
    policy: undefined,
    version: read('version'),
    address: read('address'),
    seen: read('last_seen'),
    hit,
  }
}

function readerOf({ _source: source }: Hit): (field: string) => string | undefined {
  return (field) => (source?.[field] === undefined ? undefined : String(source[field]))
}
