import type { UnitReason } from '@logstack/contracts'
import { defineFault } from '../../doctor/define-fault.ts'
import { enrolledAgents } from '../../evidence/enrolled-agents.ts'
import { counted } from '../../telling/counted.ts'
import { keepPartsFromRunning } from './keep-parts-from-running.ts'

const evidenceMax = 10
const isFull: UnitReason = 'spool_full'

/** Events that agents could not deliver: they wait on the agents' disks, and are sent when the way is free. */
export const agentSpool = defineFault<{ readonly hosts: readonly string[] }>({
  name: 'agent-spool',
  title: 'delivery of events',
  explainedBy: [...keepPartsFromRunning, 'restart-loop', 'parts-down', 'published-ports', 'disk-block'],
  async diagnose(context) {
    const agents = await enrolledAgents(context)
    const late = agents.filter(({ status, waiting }) => status !== 'offline' && waiting !== undefined)
    if (late.length === 0) return { status: 'healthy', detail: `${counted(agents.length, 'agent')} without a backlog` }
    return {
      status: 'fault',
      problem: `${late.length} of ${agents.length} agents cannot deliver their events`,
      evidence: late.slice(0, evidenceMax).map(({ host, waiting }) => `${host}: ${waiting?.words}`),
      meaning: late.some(({ waiting }) => waiting?.reason === isFull)
        ? 'their newest events are not in search yet, and hosts whose spool is full lose what nobody else keeps: datagrams, and files that are rotated away'
        : 'their newest events are not in search yet; none is lost while the agents have room on disk',
      found: { hosts: late.map(({ host }) => host) },
    }
  },
  plan: () => [
    './logstack logs endpoint-manager',
    '# on the host: does it reach this host on port 1514? its log says why events wait',
    '# a full spool: `spool.bytes_max` of the agent says how much is kept',
  ],
})
