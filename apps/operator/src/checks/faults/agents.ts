import { agentIndices, type UnitReason } from '@logstack/contracts'
import { defineFault } from '../../doctor/define-fault.ts'
import { type EnrolledAgent, enrolledAgents } from '../../evidence/enrolled-agents.ts'
import { type SeenWazuhAgents, seenWazuhAgents } from '../../evidence/wazuh-agents.ts'
import { isNewer, productVersion } from '../../places/product-version.ts'
import { keepPartsFromRunning } from './keep-parts-from-running.ts'

const offlineAfterMs = 15 * 60_000
const evidenceMax = 10

interface Trouble {
  readonly agent: EnrolledAgent
  readonly kind: 'offline' | 'broken' | 'newer'
  readonly words: string
}

interface Found {
  readonly troubles: readonly Trouble[]
  /** Wazuh agents that are silent. */
  readonly silentWazuh: number
}

/** Agents, Wazuh's too, that are silent, broken on their host, or newer than the server they talk to. They are on other hosts: nothing here can mend them. */
export const agents = defineFault<Found>({
  name: 'agents',
  title: 'agents',
  explainedBy: [...keepPartsFromRunning, 'restart-loop', 'parts-down', 'published-ports', 'agent-server-url'],
  async diagnose(context) {
    const now = Date.now()
    const known = await enrolledAgents(context)
    const troubles = known.flatMap((agent) => troubleOf(agent, now))
    const wazuh = await seenWazuhAgents(context, { silentSinceMs: now - offlineAfterMs, examplesMax: evidenceMax })
    const all = known.length + wazuh.count
    const count = troubles.length + wazuh.silent
    if (count === 0) return { status: 'healthy', detail: `${all} enrolled, all report` }
    return {
      status: 'fault',
      problem: `${count} of ${all} agents: ${wordsOf(troubles, wazuh.silent)}`,
      evidence: [
        ...troubles.map(({ agent, words }) => `${agent.host} (${agent.id}) ${words}`),
        ...wazuh.examples.map(silenceOf),
      ].slice(0, evidenceMax),
      meaning: 'no events, or not all, come from these hosts',
      found: { troubles, silentWazuh: wazuh.silent },
    }
  },
  plan(_context, { troubles, silentWazuh }) {
    const has = (kind: Trouble['kind']): boolean => troubles.some((trouble) => trouble.kind === kind)
    return [
      ...(silentWazuh > 0 ? planForWazuh : []),
      ...(has('offline')
        ? [
            '# on the host: is it on, does the agent run, does it reach this host on 8220 and 1514? systemctl restart logstack-agent',
          ]
        : []),
      ...(has('broken')
        ? [
            '# on the host, when it says `Elastic Agent is installed but broken`: the install command of the page Agents again, with --force',
          ]
        : []),
      ...(hasReason(troubles, 'disk_full')
        ? [
            '# on the host: free space on the disk that holds the data of the agent; what it cannot keep meanwhile is lost where nobody else keeps it',
          ]
        : []),
      ...(hasReason(troubles, 'data_unwritable')
        ? [
            '# on the host: can root write the data directory of the agent? its disk may be broken, or mounted read-only: dmesg | tail',
          ]
        : []),
      ...(has('newer')
        ? ['# upgrade the stack first: an agent must not be newer than its server; or install the older agent']
        : []),
      ...(troubles.length > 0
        ? [`# a host that is gone for good: the page Agents, Unenrol (${agentIndices.agents.name})`]
        : []),
    ]
  },
})

const planForWazuh = [
  '# on a host with a Wazuh agent: is it on, does it reach this host on 1514? Windows: Restart-Service WazuhSvc, Linux: systemctl restart wazuh-agent',
  '# a Wazuh agent that is gone for good: ./logstack agent remove-wazuh ID',
]

function silenceOf({ host, id, since }: SeenWazuhAgents['examples'][number]): string {
  return `${host} (${id}) ${offlineSince(since)}`
}

function offlineSince(ms: number): string {
  return `is offline since ${new Date(ms).toISOString()}`
}

function troubleOf(agent: EnrolledAgent, nowMs: number): Trouble[] {
  const { failed, version, silentSince, waiting } = agent
  if (agent.status === 'offline' && Math.abs(nowMs - silentSince) > offlineAfterMs) {
    return [{ agent, kind: 'offline', words: offlineSince(silentSince) }]
  }
  // Events that wait are another check's: the agent itself works.
  if ((agent.status === 'unhealthy' && waiting === undefined) || failed.length > 0) {
    return [
      { agent, kind: 'broken', words: `is broken: ${failed.map(({ words }) => words).join('; ') || agent.message}` },
    ]
  }
  if (version !== undefined && isNewer(version, productVersion)) {
    return [{ agent, kind: 'newer', words: `has version ${version}, the server has ${productVersion}` }]
  }
  return []
}

function hasReason(troubles: readonly Trouble[], reason: UnitReason): boolean {
  return troubles.some(({ agent }) => agent.failed.some((unit) => unit.reason === reason))
}

function wordsOf(troubles: readonly Trouble[], silentWazuh: number): string {
  const kinds = ['offline', 'broken', 'newer'] as const
  const words = { offline: 'offline', broken: 'broken', newer: 'newer than the server' }
  return kinds
    .map((kind) => {
      const count = troubles.filter((trouble) => trouble.kind === kind).length
      return { kind, count: kind === 'offline' ? count + silentWazuh : count }
    })
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${words[kind]}`)
    .join(', ')
}
