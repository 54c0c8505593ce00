import { wazuhAgentStatus } from '@logstack/contracts'
import type { Command } from 'commander'
import { type StoredWazuhAgent, storedWazuhAgents } from '../wazuh/stored-agents.ts'
import type { AgentAnswer } from './agents-named.ts'
import { type CommandContext, withStack } from './command.ts'
import { fixFor } from './fix-for.ts'

/** Of a message that names many inputs; all of it is in `--json`. */
const messageShownMax = 400

/** A host that sends with our agent (`logstack`) or with Wazuh's, as `list --json` prints it: what both know has one name. */
export interface ListedAgent {
  readonly type: 'logstack' | 'wazuh'
  readonly id: string
  readonly host_name?: string | undefined
  readonly status: string
  readonly agent_version?: string | undefined
  readonly os_name?: string | undefined
  /** ISO 8601 */
  readonly last_checkin?: string | undefined
  readonly last_checkin_message?: string
}

/** `logstack agent list`: the hosts there are, whichever agent they have. */
export function registerAgentList(agent: Command, context: CommandContext): void {
  agent
    .command('list')
    .description('the enrolled hosts, those with Wazuh agents too, and whether they are there')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  logstack agent list')
    .action((options: { json?: boolean }, command: Command) =>
      withStack(command, context, async (stack) => {
        const [{ body }, wazuh] = await Promise.all([
          stack.clients
            .agentServer()
            .request<{ items: readonly AgentAnswer[] }>({ method: 'GET', path: '/api/fleet/agents' }),
          storedWazuhAgents(stack.clients.search()),
        ])
        const now = Date.now()
        const agents = [
          ...body.items.map((item) => ({ type: 'logstack' as const, ...item })),
          ...wazuh.map((one) => listedWazuh(one, now)),
        ]
        if (options.json === true) context.say(JSON.stringify(agents, null, 2))
        else for (const line of renderAgents(agents)) context.say(fixFor(command, stack, line))
      }),
    )
}

/** A Wazuh agent in the words of the list; `now` is milliseconds since 1970. */
export function listedWazuh(agent: StoredWazuhAgent, now: number): ListedAgent {
  const { name, version, os, last_seen, ...rest } = agent
  return {
    type: 'wazuh',
    host_name: name,
    status: wazuhAgentStatus(agent, now),
    agent_version: version,
    os_name: os,
    last_checkin: last_seen,
    ...rest,
  }
}

/** What `list` prints: a line a host, in the order of their names; below it what is not well there. */
export function renderAgents(agents: readonly ListedAgent[]): string[] {
  if (agents.length === 0) return ['no host is enrolled: ./logstack agent command prints the line that adds one']
  const nameOf = (agent: ListedAgent): string => agent.host_name ?? agent.id
  const words = { logstack: () => 'logstack', wazuh: ({ id }: ListedAgent) => `wazuh ${id}` }
  return [...agents]
    .sort((left, right) => nameOf(left).localeCompare(nameOf(right)))
    .flatMap((agent) => [
      [
        nameOf(agent).padEnd(28),
        agent.status.padEnd(15),
        (agent.agent_version ?? '-').padEnd(10),
        (agent.last_checkin ?? 'never seen').padEnd(24),
        words[agent.type](agent).padEnd(14),
        agent.os_name ?? '-',
      ].join(' '),
      ...troubleOf(agent),
    ])
}

// Of one that is offline it says how it was, which need not be why it is silent.
function troubleOf({ status, last_checkin_message: message }: ListedAgent): string[] {
  if (status !== 'unhealthy' || message === undefined) return []
  const [line = ''] = message.split('\n')
  return [`  ${line.length > messageShownMax ? `${line.slice(0, messageShownMax)}…` : line}`]
}
