import type { Command } from 'commander'
import { registerAgentList } from './agent-list.ts'
import { registerAgentPolicy } from './agent-policy.ts'
import { registerAgentUpgrade } from './agent-upgrade.ts'
import { registerAgentWazuh } from './agent-wazuh.ts'
import { requirePolicy } from './agents-named.ts'
import { type CommandContext, type RegisterCommand, withStack } from './command.ts'
import { fixFor } from './fix-for.ts'
import { whoReaches } from './who-reaches.ts'

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
  registerAgentList(agent, context)
  registerAgentPolicy(agent, context)
  registerAgentUpgrade(agent, context)
  registerAgentWazuh(agent, context)
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
