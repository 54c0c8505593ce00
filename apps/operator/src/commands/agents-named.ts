import { AppError, operatorErrors } from '@logstack/errors'
import { meantHint } from '@logstack/spelling'
import type { PartClient } from '../clients/part-client.ts'
import { noSuchName } from '../help/no-such-name.ts'

export const policiesPath = '/api/fleet/agent_policies'

/** What agent-server answers of an enrolled agent. */
export interface AgentAnswer {
  readonly id: string
  readonly host_name?: string
  readonly status: string
  readonly agent_version?: string
  readonly os_name?: string
  readonly policy_id: string
  readonly last_checkin?: string
  /** What is not well there, in the agent's words; `Running` otherwise. */
  readonly last_checkin_message?: string
}

/** What agent-server answers of a policy. */
export interface PolicyAnswer {
  readonly id: string
  readonly name: string
  readonly revision: number
}

/** The enrolled agents that go by these ids or names of hosts; a name that none or several have is `option_invalid`. */
export function agentsNamed(agents: readonly AgentAnswer[], names: readonly string[]): AgentAnswer[] {
  return names.map((name) => {
    const fitting = agents.filter(({ id, host_name }) => id === name || host_name === name)
    const [agent] = fitting
    if (agent && fitting.length === 1) return agent
    const known = agents.flatMap(({ host_name }) => host_name ?? [])
    const said = agent
      ? `${fitting.length} hosts are called [${name}]`
      : `no host is called [${name}]${meantHint(name, known)}`
    throw new AppError(operatorErrors.option_invalid, said, {
      fix: agent
        ? `name one by its id: ${fitting.map(({ id }) => id).join(', ')}`
        : 'the names are listed by: ./logstack agent list',
    })
  })
}

/** `option_invalid` with the policies there are, where none has this id. */
export async function requirePolicy(agentServer: Pick<PartClient, 'request'>, id: string): Promise<void> {
  const { body } = await agentServer.request<{ items: readonly PolicyAnswer[] }>({ method: 'GET', path: policiesPath })
  const ids = body.items.map((policy) => policy.id)
  if (!ids.includes(id)) throw noSuchName('policy', id, ids)
}
