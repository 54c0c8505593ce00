import { askSearch } from './ask-search.ts'
import { defineInjection } from './define-injection.ts'

const agents = '/.logstack-agents/_doc'

const enrolled = { active: true, status: 'online', policy_id: 'default', enrolled_at: '2026-01-01T00:00:00.000Z' }

export const agentOffline = defineInjection({
  fault: 'agents',
  name: 'agent-offline',
  how: 'an enrolled agent has been silent since yesterday',
  evidence: /silent-host \(fault-offline\) is offline since 2026-01-01/,
  isLeft: true,
  async inject(host) {
    const document = {
      ...enrolled,
      status: 'offline',
      host_name: 'silent-host',
      last_checkin: '2026-01-01T00:00:00.000Z',
    }
    await askSearch(host, 'PUT', `${agents}/fault-offline?refresh=true`, document)
  },
  async restore(host) {
    await askSearch(host, 'POST', '/.logstack-agents/_delete_by_query?refresh=true', {
      query: { term: { host_name: 'silent-host' } },
    })
  },
})

export const agentSpool = defineInjection({
  fault: 'agent-spool',
  how: 'an agent reports that its events cannot be delivered',
  evidence: /late-host: 1200 events wait: connect ETIMEDOUT/,
  isLeft: true,
  async inject(host) {
    const unit = { id: 'default', type: 'output', status: 'DEGRADED', message: '1200 events wait: connect ETIMEDOUT' }
    const components = [{ id: 'logstack', type: 'logstack', status: 'DEGRADED', message: '', units: [unit] }]
    // As agent-server notes one that says so of itself.
    const seen = { status: 'unhealthy', last_checkin: new Date().toISOString(), components }
    const document = { ...enrolled, ...seen, host_name: 'late-host' }
    await askSearch(host, 'PUT', `${agents}/fault-late?refresh=true`, document)
  },
  async restore(host) {
    await askSearch(host, 'POST', '/.logstack-agents/_delete_by_query?refresh=true', {
      query: { term: { host_name: 'late-host' } },
    })
  },
})

export const agentServerUrl = defineInjection({
  fault: 'agent-server-url',
  how: "agent-server's address for agents is deleted",
  evidence: /Missing URL for Fleet Server host/,
  follows: ['markers'],
  async inject(host) {
    await askSearch(host, 'DELETE', '/.logstack-agent-server/_doc/settings?refresh=true')
  },
})
