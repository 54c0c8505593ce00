import { type AgentAction, agentApiPaths, type CheckinRequest, checkinRequestSchema } from '@logstack/contracts'
import { AppError, agentsErrors } from '@logstack/errors'
import { limits } from '../limits.ts'
import type { Services } from '../services.ts'
import { defineRoute, RawAnswer, type RouteCall } from './define-route.ts'

/** `POST /api/fleet/agents/{id}/checkin`: takes the agent's state, and answers when there is something to do or the hold time is over. */
export const checkIn = defineRoute({
  method: 'POST',
  path: agentApiPaths.checkin,
  access: 'agent',
  async handle({ services, parameters, authorization, body, gone }): Promise<RawAnswer> {
    const id = parameters['id'] ?? ''
    const { agents } = services
    agents.authenticate(id, authorization)
    const said = await takeOver(services, id, body)
    let actions = pendingActions(services, id, said)
    if (actions.length === 0) {
      await holdUntilNews(services, id, gone())
      actions = pendingActions(services, id, said)
    }
    await services.actions.delivered(actions.map((action) => action.id))
    if (services.actions.isUpgrading(id)) agents.updating(id)
    return answerOf(actions, actions.at(-1)?.id ?? said.ack_token ?? '')
  },
})

/** What a check-in is answered by. */
type Said = Pick<CheckinRequest, 'ack_token' | 'agent_policy_id' | 'policy_revision_idx'>

/** Takes over what an agent says of itself. The rest of it is not to be held with the check-in. */
async function takeOver({ agents }: Services, id: string, body: RouteCall['body']): Promise<Said> {
  const request = await body(checkinRequestSchema)
  agents.checkedIn(id, request)
  const { ack_token, agent_policy_id, policy_revision_idx } = request
  return { ack_token, agent_policy_id, policy_revision_idx }
}

/** Something to do for an agent; a policy is in `dataJson`, in the bytes that all its agents get, in the place of `data`. */
interface Pending {
  readonly id: string
  readonly action: object
  readonly dataJson?: Buffer
}

/** A `CheckinResponse`. */
function answerOf(actions: readonly Pending[], ackToken: string): RawAnswer {
  const [head, end] = [`{"action":"checkin","ack_token":${JSON.stringify(ackToken)},"actions":[`, ']}']
  const written = actions.flatMap((action, at) => [Buffer.from(at === 0 ? '' : ','), ...bytesOf(action)])
  return new RawAnswer(
    'application/json; charset=utf-8',
    Buffer.concat([Buffer.from(head), ...written, Buffer.from(end)]),
  )
}

function bytesOf({ action, dataJson }: Pending): Buffer[] {
  const json = JSON.stringify(action)
  return dataJson ? [Buffer.from(`${json.slice(0, -1)},"data":`), dataJson, Buffer.from('}')] : [Buffer.from(json)]
}

/** What this agent has not done yet, by what it said of itself. */
function pendingActions({ agents, actions, policies, now }: Services, id: string, said: Said): Pending[] {
  const agent = agents.get(id)
  const created_at = new Date(now()).toISOString()
  const pending = (action: AgentAction): Pending => ({ id: action.id, action })
  if (!agent.active) return [pending({ id: `unenroll:${id}`, agent_id: id, created_at, type: 'UNENROLL', data: {} })]
  const { policy_id: policyId } = agent
  const { revision } = policies.get(policyId)
  const ordered = actions.pending(id).map(pending)
  if (said.agent_policy_id === policyId && said.policy_revision_idx === revision) return ordered
  const change = { id: `policy:${policyId}:${revision}`, agent_id: id, created_at, type: 'POLICY_CHANGE' }
  return [{ id: change.id, action: change, dataJson: policies.changeJson(policyId) }, ...ordered]
}

/** Waits for news for this agent, for the end of the hold time, for the caller to go, or for the part to stop. */
async function holdUntilNews(
  { agents, held, settings, stopping }: Services,
  id: string,
  gone: AbortSignal,
): Promise<void> {
  if (held.count >= limits.heldCheckinsMax) {
    throw new AppError(agentsErrors.agent_limit_reached, 'too many check-ins are open, try again later')
  }
  if (stopping.aborted) return
  const release = agents.hold(id)
  const { policy_id: policyId } = agents.get(id)
  await held.hold({ agentId: id, policyId, limitMs: settings.get('checkin.hold_ms'), gone })
  release()
}
