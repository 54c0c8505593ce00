import type { Command } from 'commander'
import { registerAgentPolicy } from './agent-policy.ts'
import { registerAgentUpgrade } from './agent-upgrade.ts'
import { type AgentAnswer, requirePolicy } from './agents-named.ts'
import { type CommandContext, type RegisterCommand, withStack } from './command.ts'
import { fixFor } from './fix-for.ts'

/** Of a message that names many inputs; all of it is in `--json`. */
const messageShownMax = 400

interface CommandOptions {
  readonly policy?: string
  readonly hours?: string
}

/** `logstack agent …`: the line that adds a host, the hosts there are, their policies and upgrades. Asks agent-server, so it works while the dashboard is down. */
export const registerAgent: RegisterCommand = (program, context) => {
  const agent = program.command('agent').description('add a host, and see the hosts that were added')
  agent
    .command('command')
    .description('print one line that adds a host: it downloads the agent from here, checks it, installs and enrols it')
    .option('--policy <id>', 'the policy the host gets')
    .option('--hours <n>', 'how long the line may be used; without it as config/agent-server.yml says')
    .addHelpText('after', '\nExamples:\n  logstack agent command\n  logstack agent command --hours 1')
    .action((options: CommandOptions, command: Command) => {
      const hours = options.hours === undefined ? undefined : Number(options.hours)
      if (hours !== undefined && !(hours > 0)) command.error('--hours needs a number above 0', { exitCode: 2 })
      return printCommand(command, context, { policy: options.policy, hours })
    })
  agent
    .command('list')
    .description('the enrolled hosts, and whether they are there')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  logstack agent list')
    .action((options: { json?: boolean }, command: Command) => printAgents(command, context, options.json === true))
  registerAgentPolicy(agent, context)
  registerAgentUpgrade(agent, context)
}

function printCommand(
  command: Command,
  context: CommandContext,
  { policy, hours }: { policy: string | undefined; hours: number | undefined },
): Promise<void> {
  return withStack(command, context, async (stack) => {
    const agentServer = stack.clients.agentServer()
    if (policy !== undefined) await requirePolicy(agentServer, policy)
    // Asked first: without an address for agents no token is made that nobody can use.
    const line = await agentServer.request<{ item: { command: string } }>({
      method: 'GET',
      path: '/api/fleet/agents/command',
    })
    const made = await agentServer.request<{ item: { api_key: string; expires_at: string } }>({
      method: 'POST',
      path: '/api/fleet/enrollment_api_keys',
      body: { name: 'logstack agent command', policy_id: policy, lifetime_hours: hours },
    })
    const { api_key: token, expires_at: until } = made.body.item
    context.say(line.body.item.command.replace('<TOKEN>', () => token))
    context.tell(`run it on the host to add; its token adds hosts until ${until}`)
    const limit = whoReaches(stack.choices.ipvar)
    if (limit !== undefined) context.tell(fixFor(command, stack, limit))
  })
}

/** Who cannot use a line that names this address, and the way on; undefined where other hosts reach it. */
export function whoReaches(address: string): string | undefined {
  if (!/^(127\.|::1$)/.test(address)) return undefined
  return `only this machine reaches ${address}; for other hosts first: ./logstack down && ./logstack up --detach --ip ADDRESS`
}

function printAgents(command: Command, context: CommandContext, asJson: boolean): Promise<void> {
  return withStack(command, context, async (stack) => {
    const { body } = await stack.clients
      .agentServer()
      .request<{ items: readonly AgentAnswer[] }>({ method: 'GET', path: '/api/fleet/agents' })
    if (asJson) context.say(JSON.stringify(body.items, null, 2))
    else for (const line of renderAgents(body.items)) context.say(fixFor(command, stack, line))
  })
}

/** What `list` prints: a line a host, in the order of their names; below it what is not well there. */
export function renderAgents(agents: readonly AgentAnswer[]): string[] {
  if (agents.length === 0) return ['no host is enrolled: ./logstack agent command prints the line that adds one']
  const nameOf = (agent: AgentAnswer): string => agent.host_name ?? agent.id
  return [...agents]
    .sort((left, right) => nameOf(left).localeCompare(nameOf(right)))
    .flatMap((agent) => [
      [
        nameOf(agent).padEnd(28),
        agent.status.padEnd(10),
        (agent.agent_version ?? '-').padEnd(10),
        agent.last_checkin ?? 'never seen',
      ].join(' '),
      ...troubleOf(agent),
    ])
}

// Of one that is offline it says how it was, which need not be why it is silent.
function troubleOf({ status, last_checkin_message: message }: AgentAnswer): string[] {
  if (status !== 'unhealthy' || message === undefined) return []
  const [line = ''] = message.split('\n')
  return [`  ${line.length > messageShownMax ? `${line.slice(0, messageShownMax)}…` : line}`]
}
