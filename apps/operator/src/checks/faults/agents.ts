import { agentIndices, type UnitReason } from '@logstack/contracts'
import { defineFault } from '../../doctor/define-fault.ts'
import { type EnrolledAgent, enrolledAgents } from '../../evidence/enrolled-agents.ts'
import { isNewer, productVersion } from '../../places/product-version.ts'
import { keepPartsFromRunning } from './keep-parts-from-running.ts'

const offlineAfterMs = 15 * 60_000
const evidenceMax = 10

interface Trouble {
  readonly agent: EnrolledAgent
  readonly kind: 'offline' | 'broken' | 'newer'
  readonly words: string
}

/** Agents that are silent, broken on their host, or newer than the server they talk to. They are on other hosts: nothing here can mend them. */
export const agents = defineFault<readonly Trouble[]>({
  name: 'agents',
  title: 'agents',
  explainedBy: [...keepPartsFromRunning, 'restart-loop', 'parts-down', 'published-ports', 'agent-server-url'],
  async diagnose(context) {
    const known = await enrolledAgents(context)
    const troubles = known.flatMap((agent) => troubleOf(agent, Date.now()))
    if (troubles.length === 0) return { status: 'healthy', detail: `${known.length} enrolled, all report` }
    return {
      status: 'fault',
      problem: `${troubles.length} of ${known.length} agents: ${wordsOf(troubles)}`,
      evidence: troubles.slice(0, evidenceMax).map(({ agent, words }) => `${agent.host} (${agent.id}) ${words}`),
      meaning: 'no events, or not all, come from these hosts',
      found: troubles,
    }
  },
  plan(_context, troubles) {
    const has = (kind: Trouble['kind']): boolean => troubles.some((trouble) => trouble.kind === kind)
    return [
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
      `# a host that is gone for good: the page Agents, Unenrol (${agentIndices.agents.name})`,
    ]
  },
})

function troubleOf(agent: EnrolledAgent, nowMs: number): Trouble[] {
  const { failed, version, silentSince, waiting } = agent
  if (agent.status === 'offline' && Math.abs(nowMs - silentSince) > offlineAfterMs) {
    return [{ agent, kind: 'offline', words: `is offline since ${new Date(silentSince).toISOString()}` }]
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

function wordsOf(troubles: readonly Trouble[]): string {
  const kinds = ['offline', 'broken', 'newer'] as const
  const words = { offline: 'offline', broken: 'broken', newer: 'newer than the server' }
  return kinds
    .map((kind) => ({ kind, count: troubles.filter((trouble) => trouble.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${words[kind]}`)
    .join(', ')
}
