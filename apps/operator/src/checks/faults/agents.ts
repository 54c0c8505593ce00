import { agentIndices, type UnitReason } from '@logstack/contracts'
import { defineFault } from '../../doctor/define-fault.ts'
import { type EnrolledAgent, enrolledAgents } from '../../evidence/enrolled-agents.ts'
import { type SeenWazuhAgent, seenWazuhAgents } from '../../evidence/wazuh-agents.ts'
import { isNewer, productVersion } from '../../places/product-version.ts'
import { keepPartsFromRunning } from './keep-parts-from-running.ts'

const offlineAfterMs = 15 * 60_000
const evidenceMax = 10

interface Trouble {
  readonly host: string
  readonly id: string
  /** Units that failed. */
  readonly failed: EnrolledAgent['failed']
  readonly type: 'logstack' | 'wazuh'
  readonly kind: 'offline' | 'broken' | 'newer'
  readonly words: string
}

/** Agents, Wazuh's too, that are silent, broken on their host, or newer than the server they talk to. They are on other hosts: nothing here can mend them. */
export const agents = defineFault<readonly Trouble[]>({
  name: 'agents',
  title: 'agents',
  explainedBy: [...keepPartsFromRunning, 'restart-loop', 'parts-down', 'published-ports', 'agent-server-url'],
  async diagnose(context) {
    const now = Date.now()
    const known = await enrolledAgents(context)
    const wazuh = await seenWazuhAgents(context, now)
    const troubles = [
      ...known.flatMap((agent) => troubleOf(agent, now)),
      ...wazuh.flatMap((agent) => troubleOfWazuh(agent, now)),
    ]
    const all = known.length + wazuh.length
    if (troubles.length === 0) return { status: 'healthy', detail: `${all} enrolled, all report` }
    return {
      status: 'fault',
      problem: `${troubles.length} of ${all} agents: ${wordsOf(troubles)}`,
      evidence: troubles.slice(0, evidenceMax).map(({ host, id, words }) => `${host} (${id}) ${words}`),
      meaning: 'no events, or not all, come from these hosts',
      found: troubles,
    }
  },
  plan(_context, troubles) {
    const has = (kind: Trouble['kind'], type: Trouble['type'] = 'logstack'): boolean =>
      troubles.some((trouble) => trouble.kind === kind && trouble.type === type)
    const types = new Set(troubles.map(({ type }) => type))
    return [
      ...(has('offline', 'wazuh')
        ? [
            '# on a host with a Wazuh agent: is it on, does it reach this host on 1514? Windows: Restart-Service WazuhSvc, Linux: systemctl restart wazuh-agent',
          ]
        : []),
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
      ...(types.has('logstack')
        ? [`# a host that is gone for good: the page Agents, Unenrol (${agentIndices.agents.name})`]
        : []),
      ...(types.has('wazuh') ? ['# a Wazuh agent that is gone for good: ./logstack agent remove-wazuh ID'] : []),
    ]
  },
})

function troubleOf(agent: EnrolledAgent, nowMs: number): Trouble[] {
  const { id, host, failed, version, silentSince, waiting } = agent
  const own = { id, host, failed, type: 'logstack' as const }
  if (agent.status === 'offline' && Math.abs(nowMs - silentSince) > offlineAfterMs) {
    return [{ ...own, kind: 'offline', words: `is offline since ${new Date(silentSince).toISOString()}` }]
  }
  // Events that wait are another check's: the agent itself works.
  if ((agent.status === 'unhealthy' && waiting === undefined) || failed.length > 0) {
    return [
      { ...own, kind: 'broken', words: `is broken: ${failed.map(({ words }) => words).join('; ') || agent.message}` },
    ]
  }
  if (version !== undefined && isNewer(version, productVersion)) {
    return [{ ...own, kind: 'newer', words: `has version ${version}, the server has ${productVersion}` }]
  }
  return []
}

function troubleOfWazuh({ id, host, silentSince }: SeenWazuhAgent, nowMs: number): Trouble[] {
  if (silentSince === undefined || Math.abs(nowMs - silentSince) <= offlineAfterMs) return []
  const words = `is offline since ${new Date(silentSince).toISOString()}`
  return [{ id, host, failed: [], type: 'wazuh', kind: 'offline', words }]
}

function hasReason(troubles: readonly Trouble[], reason: UnitReason): boolean {
  return troubles.some(({ failed }) => failed.some((unit) => unit.reason === reason))
}

function wordsOf(troubles: readonly Trouble[]): string {
  const kinds = ['offline', 'broken', 'newer'] as const
  const words = { offline: 'offline', broken: 'broken', newer: 'newer than the server' }
  return kinds
    .map((kind) => ({ kind, count: troubles.filter((trouble) => trouble.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${words[kind]}`)
    .join(', ')
}
