import { AppError, operatorErrors } from '@logstack/errors'
import { type Command, Option } from 'commander'
import { registerAgentList } from './agent-list.ts'
import { registerAgentPolicy } from './agent-policy.ts'
import { registerAgentUpgrade } from './agent-upgrade.ts'
import { registerAgentWazuh } from './agent-wazuh.ts'
import { requirePolicy } from './agents-named.ts'
import { type CommandContext, type RegisterCommand, withStack } from './command.ts'
import { fixFor } from './fix-for.ts'
import { whoReaches } from './who-reaches.ts'

const wazuhSystems = ['windows', 'linux', 'macos'] as const
type WazuhSystem = (typeof wazuhSystems)[number]

interface CommandOptions {
  readonly policy?: string
  readonly hours?: string
  readonly wazuh?: WazuhSystem
}

/** `logstack agent …`: the line that adds a host, the hosts there are, their policies and upgrades. Asks agent-server, so it works while the dashboard is down. */
export const registerAgent: RegisterCommand = (program, context) => {
  const agent = program.command('agent').description('add a host, and see the hosts that were added')
  agent
    .command('command')
    .description('print one line that adds a host: it downloads the agent from here, checks it, installs and enrols it')
    .option('--policy <id>', 'the policy the host gets')
    .option('--hours <n>', 'how long the line may be used; without it as config/agent-server.yml says')
    .addOption(
      new Option('--wazuh [system]', "a line that installs and enrols Wazuh's agent instead, on Windows unless told")
        .choices(wazuhSystems)
        .preset('windows'),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  logstack agent command\n  logstack agent command --hours 1\n  logstack agent command --wazuh windows',
    )
    .action((options: CommandOptions, command: Command) => {
      const { policy, wazuh } = options
      const hours = options.hours === undefined ? undefined : Number(options.hours)
      if (hours !== undefined && !(hours > 0)) command.error('--hours needs a number above 0', { exitCode: 2 })
      if (policy !== undefined && wazuh !== undefined)
        command.error('--policy is for the own agent: a Wazuh agent collects what its ossec.conf says', { exitCode: 2 })
      return printCommand(command, context, { policy, hours, wazuh })
    })
  registerAgentList(agent, context)
  registerAgentPolicy(agent, context)
  registerAgentUpgrade(agent, context)
  registerAgentWazuh(agent, context)
}

interface LineAnswer {
  readonly item: { readonly command: string; readonly wazuh?: Readonly<Record<WazuhSystem, string>> }
}

function printCommand(
  command: Command,
  context: CommandContext,
  wanted: { policy: string | undefined; hours: number | undefined; wazuh: WazuhSystem | undefined },
): Promise<void> {
  return withStack(command, context, async (stack) => {
    const { policy, hours, wazuh } = wanted
    const agentServer = stack.clients.agentServer()
    if (policy !== undefined) await requirePolicy(agentServer, policy)
    // Asked first: without an address for agents no token is made that nobody can use.
    const path = '/api/fleet/agents/command'
    const { item } = (await agentServer.request<LineAnswer>({ method: 'GET', path })).body
    const line = wazuh === undefined ? item.command : item.wazuh?.[wazuh]
    if (line === undefined) throw enrolmentClosed()
    const made = await agentServer.request<{ item: { api_key: string; expires_at: string } }>({
      method: 'POST',
      path: '/api/fleet/enrollment_api_keys',
      body: { name: 'logstack agent command', policy_id: policy, lifetime_hours: hours },
    })
    const { api_key: token, expires_at: until } = made.body.item
    context.say(line.replaceAll('<TOKEN>', () => token))
    const where = wazuh === 'windows' ? 'in PowerShell, as an administrator, ' : ''
    context.tell(`run it ${where}on the host to add; its token adds hosts until ${until}`)
    const limit = whoReaches(stack.choices.ipvar)
    if (limit !== undefined) context.tell(fixFor(command, stack, limit))
  })
}

function enrolmentClosed(): AppError {
  return new AppError(operatorErrors.not_supported, 'this stack takes no new Wazuh agents', {
    fix: 'set LOGSTACK_WAZUH_ENROLMENT_URL in logstack-agent-server.container, as shipped',
  })
}
