import { type WazuhAgentStatus, wazuhSilentMs } from '@logstack/contracts'

/** Rows of the list, of each kind of agent; there may be thousands of agents, and it is asked for every few seconds. */
const shownMax = 500

/** What search is asked for the list: enrolled agents whose host's name has `find` in it, of a state where one is named, by host, and how many there are. */
export function agentsQuestion(find: string, state: string | null): object {
  const filter = [
    { term: { active: true } },
    ...named('host_name', find),
    ...(state === null ? [] : [{ term: { status: state } }]),
  ]
  return {
    size: shownMax,
    track_total_hits: true,
    _source: { excludes: ['access_key_sha256', 'components', 'local_metadata'] },
    query: { bool: { filter } },
    sort: [{ host_name: { order: 'asc', unmapped_type: 'keyword' } }],
  }
}

/** How Wazuh agents are, in the order in which they can be chosen. */
export const wazuhStates: readonly WazuhAgentStatus[] = ['active', 'disconnected', 'never_connected']

/** The same of Wazuh agents, without their keys; `now` is milliseconds since 1970. */
export function wazuhAgentsQuestion(find: string, state: string | null, now: number): object {
  const seen = { exists: { field: 'last_seen' } }
  const filter = [
    { term: { connected: true } },
    { range: { last_seen: { gt: new Date(now - wazuhSilentMs).toISOString() } } },
  ]
  const active = { bool: { filter } }
  const inState: Readonly<Record<WazuhAgentStatus, object>> = {
    active,
    disconnected: { bool: { filter: [seen], must_not: [active] } },
    never_connected: { bool: { must_not: [seen] } },
  }
  const chosen = wazuhStates.filter((one) => one === state).map((one) => inState[one])
  return {
    size: shownMax,
    track_total_hits: true,
    _source: { excludes: ['key'] },
    query: { bool: { filter: [...named('name', find), ...chosen] } },
    sort: [{ name: { order: 'asc', unmapped_type: 'keyword' } }],
  }
}

function named(field: string, find: string): object[] {
  if (find === '') return []
  const part = find.replace(/[\\*?]/g, '\\$&')
  return [{ wildcard: { [field]: { value: `*${part}*`, case_insensitive: true } } }]
}
