import { text } from 'node:stream/consumers'
import { AppError, operatorErrors } from '@logstack/errors'
import type { Command } from 'commander'
import { readGivenFile } from '../places/given-file.ts'
import { counted } from '../telling/counted.ts'
import { type ReadKeys, readClientKeys } from '../wazuh/client-keys.ts'
import { type ImportedAgents, importWazuhAgents, type RefusedEntry } from '../wazuh/import-agents.ts'
import { removeWazuhAgents, wazuhAgentsNamed } from '../wazuh/remove-agents.ts'
import { storedWazuhAgents } from '../wazuh/stored-agents.ts'
import { type CommandContext, withStack } from './command.ts'
import { fixFor } from './fix-for.ts'
import { whoReaches } from './who-reaches.ts'

/** The port of agents' events, as the definition of endpoint-manager has it. */
const eventsPort = 1514
/** Lines that are told one by one. */
const refusedShownMax = 100
const holds = "the agents' keys, one a line: etc/client.keys below /var/ossec of the old server"

/** `logstack agent import-wazuh` and `remove-wazuh`: the agents of a Wazuh server that may send here, with the keys they have. */
export function registerAgentWazuh(agent: Command, context: CommandContext): void {
  agent
    .command('import-wazuh <file>')
    .description(
      "let the agents of a Wazuh server send here with the keys they have, from its client.keys ('-': standard input)",
    )
    .option('--replace', 'take the keys of the file where agents are here with others')
    .addHelpText(
      'after',
      `
The old server keeps the file as /var/ossec/etc/client.keys; in a container that is a volume:
  podman exec CONTAINER cat /var/ossec/etc/client.keys | logstack agent import-wazuh -

Examples:
  logstack agent import-wazuh client.keys
  ssh old-server sudo cat /var/ossec/etc/client.keys | logstack agent import-wazuh -`,
    )
    .action((file: string, { replace = false }: { replace?: boolean }, command: Command) =>
      importKeys(command, context, { file, replace }),
    )
  agent
    .command('remove-wazuh <agents...>')
    .description('forget Wazuh agents, by id or name: what they send is refused from then on')
    .addHelpText('after', '\nExamples:\n  logstack agent remove-wazuh 004\n  logstack agent remove-wazuh web-1 web-2')
    .action((names: string[], _options: unknown, command: Command) =>
      withStack(command, context, async ({ clients }) => {
        const search = clients.search()
        const agents = wazuhAgentsNamed(await storedWazuhAgents(search), names)
        await removeWazuhAgents(
          search,
          agents.map(({ id }) => id),
        )
        for (const { id, name } of agents) context.say(`forgot ${id} ${name}`)
      }),
    )
}

async function importKeys(
  command: Command,
  context: CommandContext,
  { file, replace }: { readonly file: string; readonly replace: boolean },
): Promise<void> {
  const given = file === '-' ? await text(process.stdin) : readGivenFile(file, { named: 'FILE', holds })
  const read = readClientKeys(given)
  if (read.entries.length === 0) throw noKeys(file, read)
  await withStack(command, context, async (stack) => {
    const at = new Date().toISOString()
    const imported = await importWazuhAgents(stack.clients.search(), read.entries, { replace, at })
    const refused = [...read.refused, ...imported.refused].sort((one, other) => one.line - other.line)
    for (const { line, why } of refused.slice(0, refusedShownMax)) context.say(`not imported: line ${line}: ${why}`)
    if (refused.length > refusedShownMax) context.say(`not imported: ${refused.length - refusedShownMax} lines more`)
    context.say(summaryOf(imported, read.removed))
    for (const line of nextSteps(imported, { port: stack.ports.of(eventsPort), ipvar: stack.choices.ipvar }))
      context.tell(fixFor(command, stack, line))
    if (refused.length > 0) throw notAll(read, imported)
  })
}

/** What an import ends with. */
export function summaryOf({ added, replaced, unchanged }: ImportedAgents, removed: number): string {
  return [
    `${counted(added, 'agent')} added`,
    ...(replaced > 0 ? [`${replaced} with a new key or address`] : []),
    ...(unchanged > 0 ? [`${unchanged} there already`] : []),
    ...(removed > 0 ? [`${counted(removed, 'line')} of removed agents and comments left out`] : []),
  ].join(', ')
}

/** What an administrator does next, so that the agents come to this host's `port`. */
export function nextSteps(
  { added, replaced, unchanged }: ImportedAgents,
  { port, ipvar }: { readonly port: number; readonly ipvar: string },
): string[] {
  if (added + replaced + unchanged === 0) return []
  const limit = whoReaches(ipvar)
  if (limit !== undefined) return [limit]
  const elsewhere = port === eventsPort ? '<address>' : `<address>, and <port> to ${port},`
  const led =
    port === eventsPort ? 'Lead them here: give this host the address or the name of the old server; or set' : 'Set'
  return [
    `they are let in within seconds, at port ${port}/tcp. ${led} ${elsewhere} in the ossec.conf of each agent to this host, and restart the agent.`,
    'who came is listed by: ./logstack agent list',
  ]
}

function noKeys(file: string, { refused, removed }: ReadKeys): AppError {
  const [first] = refused
  const seen = [
    ...(first ? [`${counted(refused.length, 'line')} cannot be read, line ${first.line}: ${first.why}`] : []),
    ...(removed > 0 ? [`${counted(removed, 'line')} of removed agents or comments`] : []),
  ]
  const of = seen.length > 0 ? `: ${seen.join(', ')}` : ''
  return new AppError(operatorErrors.option_invalid, `${file === '-' ? 'standard input' : file} has no key${of}`, {
    fix: `name a file with ${holds}`,
  })
}

function notAll({ entries, refused }: ReadKeys, imported: ImportedAgents): AppError {
  const has = (because: RefusedEntry['because']): boolean => imported.refused.some((one) => one.because === because)
  const count = refused.length + imported.refused.length
  const message = `${count} of ${counted(entries.length + refused.length, 'line')} were not imported`
  const ways = [
    ...(has('otherwise') ? ['--replace takes the keys of the file where agents are here with others'] : []),
    ...(has('search') ? ['see ./logstack logs search, then import the file again'] : []),
    ...(has('taken') ? ['an id or name is free again after: ./logstack agent remove-wazuh ID'] : []),
  ]
  return new AppError(operatorErrors.option_invalid, message, {
    fix: ways.length > 0 ? ways.join('; ') : 'mend these lines, and import the file again; the others are in',
  })
}
