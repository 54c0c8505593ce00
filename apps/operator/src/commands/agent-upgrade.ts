import type { Command } from 'commander'
import { counted } from '../telling/counted.ts'
import { type AgentAnswer, agentsNamed, requirePolicy } from './agents-named.ts'
import { type CommandContext, withStack } from './command.ts'
import { fixFor } from './fix-for.ts'

const path = '/api/fleet/agents/bulk_upgrade'

interface RolloutAnswer {
  readonly item: { readonly id: string; readonly agents?: number; readonly statuses: Readonly<Record<string, number>> }
}

interface UpgradeOptions {
  readonly policy?: string
  readonly over: string
  readonly status?: string
}

/** `logstack agent upgrade`: hands the stack's program to hosts, one after the other; stops at the first that goes back to its old one. */
export function registerAgentUpgrade(agent: Command, context: CommandContext): void {
  agent
    .command('upgrade [hosts...]')
    .description('upgrade hosts one after the other; one that does not come back keeps the others as they are')
    .option('--policy <id>', 'all hosts of a policy instead of those named')
    .option('--over <minutes>', 'over how many minutes', '60')
    .option('--status <rollout>', 'say how far one is instead')
    .addHelpText(
      'after',
      '\nExamples:\n  logstack agent upgrade web-1 web-2\n  logstack agent upgrade --policy default --over 240',
    )
    .action((hosts: string[], options: UpgradeOptions, command: Command) => {
      const minutes = Number(options.over)
      if (!(minutes >= 0)) command.error('--over needs a number of minutes', { exitCode: 2 })
      if (options.status !== undefined) return printRollout(command, context, options.status)
      if (hosts.length > 0 === (options.policy !== undefined))
        command.error('name hosts, or a policy with --policy', { exitCode: 2 })
      return upgrade(command, context, { hosts, policy: options.policy, minutes })
    })
}

function upgrade(
  command: Command,
  context: CommandContext,
  { hosts, policy, minutes }: { hosts: readonly string[]; policy: string | undefined; minutes: number },
): Promise<void> {
  return withStack(command, context, async (stack) => {
    const agentServer = stack.clients.agentServer()
    if (policy !== undefined) await requirePolicy(agentServer, policy)
    const enrolled = async (): Promise<readonly AgentAnswer[]> =>
      (await agentServer.request<{ items: readonly AgentAnswer[] }>({ method: 'GET', path: '/api/fleet/agents' })).body
        .items
    const which =
      policy === undefined
        ? { agents: agentsNamed(await enrolled(), hosts).map(({ id }) => id) }
        : { policy_id: policy }
    const body = { ...which, rollout_duration_seconds: Math.round(minutes * 60) }
    const { item } = (await agentServer.request<RolloutAnswer>({ method: 'POST', path, body })).body
    context.say(item.id)
    const next = fixFor(command, stack, `./logstack agent upgrade --status ${item.id}`)
    context.tell(
      `${counted(item.agents ?? 0, 'host')} within ${counted(minutes, 'minute')}; how far it is says ${next}`,
    )
  })
}

function printRollout(command: Command, context: CommandContext, id: string): Promise<void> {
  return withStack(command, context, async ({ clients }) => {
    const { body } = await clients
      .agentServer()
      .request<RolloutAnswer>({ method: 'GET', path: `${path}/${encodeURIComponent(id)}` })
    for (const [status, count] of Object.entries(body.item.statuses)) context.say(`${status.padEnd(10)} ${count}`)
  })
}
