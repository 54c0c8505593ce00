import { orderActionSchema, policyEditSchema } from '@logstack/contracts'
import { AppError, dashboardErrors, isAppError } from '@logstack/errors'
import { z } from 'zod'
import type { AgentSetup, EnrolmentToken } from '../api-types.ts'
import type { HttpsJson, JsonAnswer } from '../https-json.ts'
import { type Answer, type Call, callerOf, defineRoutes, pathParameter, readBody } from '../route.ts'
import type { Services } from '../services.ts'

// The exact words of the operator's guide: people search for them.
const missingUrl = 'Missing URL for Fleet Server host'
const remedies = [
  'Wait until ./logstack status shows logstack-agent-server Up, then reload this page.',
  'Restart the stack: sudo systemctl restart logstack.service (without systemd: ./logstack down, then ./logstack up).',
  'Restart the host.',
  'Install again: ./logstack install keeps the data.',
]
const settingsSchema = z.object({ item: z.object({ fleet_server_hosts: z.array(z.string()).default([]) }) })

const policiesPath = '/api/fleet/agent_policies'
const assignedSchema = z.strictObject({ policy_id: z.string().min(1).max(256) })
const newPolicySchema = z.strictObject({
  id: z.string().max(64).optional(),
  name: z.string().min(1).max(256),
  copy_of: z.string().max(256).optional(),
})

const linesSchema = z.object({ windows: z.string(), linux: z.string(), macos: z.string() })
const commandSchema = z.object({ item: z.object({ command: z.string(), wazuh: linesSchema.optional() }) })
const tokenSchema = z.object({ item: z.object({ api_key: z.string(), expires_at: z.string().optional() }) })

/** Whether agents can be added, asked at the agent server, and tokens to add them with. */
export const agentRoutes = defineRoutes(
  {
    method: 'GET',
    path: '/api/agents/setup',
    access: 'authenticated',
    handle: async (call, services) => ({ json: await agentSetup(services, callerOf(call).authorization) }),
  },
  {
    method: 'POST',
    path: '/api/agents/tokens',
    access: 'authenticated',
    async handle(call, services) {
      const { agentServer } = services
      if (!agentServer) throw new AppError(dashboardErrors.agent_server_unreachable, missingUrl)
      const { authorization } = callerOf(call)
      const answer = await agentServer.post('/api/fleet/enrollment_api_keys', { authorization }, { name: 'dashboard' })
      // A refusal is the agent server's own error, which has the form of all errors here.
      if (answer.status >= 300) return { status: answer.status, json: answer.body }
      const { item } = tokenSchema.parse(answer.body)
      const token: EnrolmentToken = { token: item.api_key, expiresAt: item.expires_at }
      return { json: token }
    },
  },
  {
    method: 'GET',
    path: '/api/agents/:id/actions',
    access: 'authenticated',
    handle: (call, services) => passOn(call, services, (agentServer, path, headers) => agentServer.get(path, headers)),
  },
  {
    method: 'POST',
    path: '/api/agents/:id/actions',
    access: 'authenticated',
    handle: (call, services) =>
      passOn(call, services, (agentServer, path, headers) =>
        agentServer.post(path, headers, readBody(call, orderActionSchema)),
      ),
  },
  {
    method: 'DELETE',
    path: '/api/agents/:id',
    access: 'authenticated',
    handle: (call, services) =>
      passOn(call, services, (agentServer, path, headers) =>
        agentServer.delete(path.replace(/\/actions$/, ''), headers),
      ),
  },
  {
    method: 'POST',
    path: '/api/agents/:id/policy',
    access: 'authenticated',
    handle: (call, services) =>
      passOn(call, services, (agentServer, path, headers) =>
        agentServer.post(path.replace(/\/actions$/, '/reassign'), headers, readBody(call, assignedSchema)),
      ),
  },
  {
    method: 'GET',
    path: '/api/agent-policies',
    access: 'authenticated',
    handle: (call, services) =>
      askAgentServer(call, services, (agentServer, headers) => agentServer.get(policiesPath, headers)),
  },
  {
    method: 'POST',
    path: '/api/agent-policies',
    access: 'authenticated',
    handle: (call, services) =>
      askAgentServer(call, services, (agentServer, headers) =>
        agentServer.post(policiesPath, headers, readBody(call, newPolicySchema)),
      ),
  },
  {
    method: 'GET',
    path: '/api/agent-policies/:id',
    access: 'authenticated',
    handle: (call, services) =>
      askAgentServer(call, services, (agentServer, headers) => agentServer.get(policyPath(call), headers)),
  },
  {
    method: 'PUT',
    path: '/api/agent-policies/:id',
    access: 'authenticated',
    handle: (call, services) =>
      askAgentServer(call, services, (agentServer, headers) =>
        agentServer.put(policyPath(call), headers, readBody(call, policyEditSchema)),
      ),
  },
  {
    method: 'DELETE',
    path: '/api/agent-policies/:id',
    access: 'authenticated',
    handle: (call, services) =>
      askAgentServer(call, services, (agentServer, headers) => agentServer.delete(policyPath(call), headers)),
  },
)

function policyPath(call: Call): string {
  return `${policiesPath}/${encodeURIComponent(pathParameter(call, 'id'))}`
}

/** Asks the agent server of one agent. */
function passOn(
  call: Call,
  services: Services,
  ask: (agentServer: HttpsJson, path: string, headers: { authorization: string }) => Promise<JsonAnswer>,
): Promise<Answer> {
  const path = `/api/fleet/agents/${encodeURIComponent(pathParameter(call, 'id'))}/actions`
  return askAgentServer(call, services, (agentServer, headers) => ask(agentServer, path, headers))
}

/** Asks the agent server with the caller's own rights; its refusals have the form of all errors here. */
async function askAgentServer(
  call: Call,
  { agentServer }: Services,
  ask: (agentServer: HttpsJson, headers: { authorization: string }) => Promise<JsonAnswer>,
): Promise<Answer> {
  if (!agentServer) throw new AppError(dashboardErrors.agent_server_unreachable, missingUrl)
  const { status, body } = await ask(agentServer, { authorization: callerOf(call).authorization })
  return { status, json: body }
}

async function agentSetup(services: Services, authorization: string): Promise<AgentSetup> {
  const missing: AgentSetup = { ready: false, message: missingUrl, remedies }
  const { agentServer } = services
  if (!agentServer) return missing
  try {
    const status = await agentServer.get('/api/status')
    if (status.status !== 200) return missing
    const answer = await agentServer.get('/api/fleet/settings', { authorization })
    const settings = settingsSchema.safeParse(answer.body)
    const url = settings.success ? settings.data.item.fleet_server_hosts[0] : undefined
    if (url === undefined) return missing
    const offered = commandSchema.safeParse(
      (await agentServer.get('/api/fleet/agents/command', { authorization })).body,
    )
    const { command, wazuh } = offered.data?.item ?? {}
    const lines = { ...(command === undefined ? {} : { command }), ...(wazuh && { wazuh }) }
    return { ready: true, url, caFingerprint: services.caFingerprint, ...lines }
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    return missing
  }
}
