import { connect } from 'node:net'
import { alerterStateIndex, containerName } from '@logstack/contracts'
import { isAppError, messageOf } from '@logstack/errors'
import { z } from 'zod'
import type { PartHealth, PartsHealth } from '../api-types.ts'
import { callerOf, defineRoutes } from '../route.ts'
import type { Services } from '../services.ts'

const connectLimitMs = 2_000
const alerterSilenceMs = 900_000
const stateSchema = z.object({
  hits: z.object({ hits: z.array(z.object({ _source: z.object({ updated: z.string() }) })) }),
})

/** The health page's view of the stack: which parts answer the dashboard. */
export const partsRoutes = defineRoutes({
  method: 'GET',
  path: '/api/parts',
  access: 'authenticated',
  async handle(call, services) {
    const parts = await Promise.all([
      searchHealth(services, callerOf(call).authorization),
      endpointManagerHealth(services),
      agentServerHealth(services),
      alerterHealth(services, callerOf(call).authorization),
    ])
    const dashboard: PartHealth = { name: containerName('dashboard'), state: 'up', detail: 'You are looking at it.' }
    const answer: PartsHealth = { parts: [...parts.slice(0, 2), dashboard, ...parts.slice(2)] }
    return { json: answer }
  },
})

async function searchHealth(services: Services, authorization: string): Promise<PartHealth> {
  const name = containerName('search')
  try {
    const answer = await services.search.request<{ status?: string }>({
      method: 'GET',
      path: '/_cluster/health',
      headers: { authorization },
      timeoutMs: 5_000,
      accept: [403],
    })
    const detail =
      answer.status === 403 ? 'Answers; you may not see its health.' : `Cluster health is ${answer.body.status}.`
    return { name, state: 'up', detail }
  } catch (thrown) {
    return { name, state: 'down', detail: messageOf(thrown) }
  }
}

async function agentServerHealth(services: Services): Promise<PartHealth> {
  const name = containerName('agent-server')
  if (!services.agentServer) return { name, state: 'unknown', detail: 'The dashboard was not told its address.' }
  try {
    const { status } = await services.agentServer.get('/api/status')
    return { name, state: status === 200 ? 'up' : 'down', detail: `Its status request answers ${status}.` }
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    return { name, state: 'down', detail: thrown.message }
  }
}

// The alerter serves nothing: what it wrote last says whether it runs.
async function alerterHealth(services: Services, authorization: string): Promise<PartHealth> {
  const name = containerName('alerter')
  const answer = await services.search.requestBytes({
    method: 'POST',
    path: `/${alerterStateIndex.name}/_search`,
    body: { size: 1, sort: [{ updated: { order: 'desc' } }], _source: ['updated'] },
    headers: { authorization },
    timeoutMs: 5_000,
  })
  const found = answer.status === 200 ? stateSchema.safeParse(JSON.parse(answer.body.toString('utf8'))) : undefined
  const updated = found?.success ? found.data.hits.hits[0]?._source.updated : undefined
  if (updated === undefined) return { name, state: 'unknown', detail: 'It has not written the state of a rule yet.' }
  const age = services.now() - Date.parse(updated)
  const detail = `It wrote the state of a rule ${Math.max(0, Math.round(age / 1_000))} s ago.`
  return { name, state: Math.abs(age) < alerterSilenceMs ? 'up' : 'unknown', detail }
}

// It admits agents only, by their certificates: an open port is all that can be seen from here.
function endpointManagerHealth(services: Services): Promise<PartHealth> {
  const name = containerName('endpoint-manager')
  const { endpointManagerUrl } = services
  if (!endpointManagerUrl) {
    return Promise.resolve({ name, state: 'unknown', detail: 'The dashboard was not told its address.' })
  }
  const { hostname, port } = new URL(endpointManagerUrl)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: connectLimitMs })
    const end = (state: PartHealth['state'], detail: string): void => {
      socket.destroy()
      resolve({ name, state, detail })
    }
    socket.on('connect', () => end('up', 'Takes connections from agents.'))
    socket.on('timeout', () => end('down', `No connection within ${connectLimitMs} ms.`))
    socket.on('error', (error) => end('down', messageOf(error)))
  })
}
