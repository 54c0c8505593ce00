import type { Command } from 'commander'
import { counted } from '../telling/counted.ts'
import { type AgentAnswer, agentsNamed, type PolicyAnswer, policiesPath, requirePolicy } from './agents-named.ts'
import { type CommandContext, withStack } from './command.ts'
import { fixFor } from './fix-for.ts'

/** `logstack agent policy list|create|delete|assign`: what hosts collect. What is in a policy is changed over agent-server's API. */
export function registerAgentPolicy(agent: Command, context: CommandContext): void {
  const policy = agent.command('policy').description('what hosts collect: policies, and which host has which')
  policy
    .command('list')
    .description('the policies, and how many hosts have them')
    .addHelpText('after', '\nExample:\n  logstack agent policy list')
    .action((_options: object, command: Command) => printPolicies(command, context))
  policy
    .command('create <id>')
    .description('make a policy, with the inputs of another one')
    .option('--name <text>', 'what it is called; the id unless told')
    .option('--copy-of <id>', 'the policy whose inputs it gets', 'default')
    .addHelpText('after', '\nExample:\n  logstack agent policy create web --name "Web servers"')
    .action((id: string, { name, copyOf }: { name?: string; copyOf: string }, command: Command) =>
      withStack(command, context, async (stack) => {
        const agentServer = stack.clients.agentServer()
        await requirePolicy(agentServer, copyOf)
        const body = { id, name: name ?? id, copy_of: copyOf }
        await agentServer.request({ method: 'POST', path: policiesPath, body })
        const next = fixFor(command, stack, `./logstack agent command --policy ${id}`)
        context.tell(`made; ${next} prints the line that adds a host with it`)
      }),
    )
  policy
    .command('delete <id>')
    .description('delete a policy that no host has')
    .addHelpText('after', '\nExample:\n  logstack agent policy delete web')
    .action((id: string, _options: object, command: Command) =>
      withStack(command, context, async ({ clients }) => {
        const agentServer = clients.agentServer()
        await requirePolicy(agentServer, id)
        await agentServer.request({ method: 'DELETE', path: `${policiesPath}/${encodeURIComponent(id)}` })
        context.tell('deleted')
      }),
    )
  policy
    .command('assign <id> <hosts...>')
    .description('give hosts, by name or id, a policy; those that are there have it at once')
    .addHelpText('after', '\nExample:\n  logstack agent policy assign web web-1 web-2')
    .action((id: string, hosts: string[], _options: object, command: Command) =>
      assignPolicy(command, context, { id, hosts }),
    )
}

function printPolicies(command: Command, context: CommandContext): Promise<void> {
  return withStack(command, context, async ({ clients }) => {
    const agentServer = clients.agentServer()
    const [policies, agents] = await Promise.all([
      agentServer.request<{ items: readonly PolicyAnswer[] }>({ method: 'GET', path: policiesPath }),
      agentServer.request<{ items: readonly AgentAnswer[] }>({ method: 'GET', path: '/api/fleet/agents' }),
    ])
    for (const line of renderPolicies(policies.body.items, agents.body.items)) context.say(line)
  })
}

function assignPolicy(
  command: Command,
  context: CommandContext,
  { id, hosts }: { id: string; hosts: readonly string[] },
): Promise<void> {
  return withStack(command, context, async ({ clients }) => {
    const agentServer = clients.agentServer()
    const { body } = await agentServer.request<{ items: readonly AgentAnswer[] }>({
      method: 'GET',
      path: '/api/fleet/agents',
    })
    await requirePolicy(agentServer, id)
    // All are looked up before the first is moved.
    for (const agent of agentsNamed(body.items, hosts)) {
      const path = `/api/fleet/agents/${agent.id}/reassign`
      await agentServer.request({ method: 'POST', path, body: { policy_id: id } })
      context.tell(`${agent.host_name ?? agent.id} has the policy ${id}`)
    }
  })
}

/** What `list` prints: a line a policy, in the order of their ids. */
export function renderPolicies(policies: readonly PolicyAnswer[], agents: readonly AgentAnswer[]): string[] {
  return [...policies]
    .sort((left, right) => left.id.localeCompare(right.id))
    .map(({ id, name, revision }) => {
      const hosts = agents.filter((agent) => agent.policy_id === id).length
      return [id.padEnd(28), `revision ${revision}`.padEnd(14), counted(hosts, 'host').padEnd(12), name].join(' ')
    })
}
