import { AppError, operatorErrors } from '@logstack/errors'
import { runCommand } from '@logstack/process'
import type { Command } from 'commander'
import type { Firewall } from '../firewall/firewall.ts'
import { activeFirewall } from '../firewall/index.ts'
import { innerOpeningOf, look, openingOf } from '../firewall/opening.ts'
import { shellLine } from '../firewall/shell-line.ts'
import { firewallUnit } from '../firewall/unit.ts'
import { takeLock } from '../lock/lock.ts'
import { takeLockWhenFree } from '../lock/lock-when-free.ts'
import { isEmbedded, type Stack } from '../stack.ts'
import { type CommandContext, type RegisterCommand, requireRoot, stackOf } from './command.ts'

const commandLimitMs = 30_000

/** `logstack firewall show|apply|remove`: lets other machines reach the stack's own ports, and no other. */
export const registerFirewall: RegisterCommand = (program, context) => {
  const firewall = program.command('firewall').description("the stack's own ports in nftables, firewalld or ufw")
  firewall
    .command('show')
    .description('show which firewall filters here, and what it lacks for the stack')
    .addHelpText('after', '\nExample:\n  sudo logstack firewall show')
    .action(async (_options: unknown, command: Command) => show(stackOf(command, context), context))
  firewall
    .command('apply')
    .description("open the stack's own ports in the firewall of this host")
    .option('--containers-only', 'only what the containers need among themselves; no port is opened to other machines')
    .addHelpText('after', '\nExample:\n  sudo logstack firewall apply')
    .action(async ({ containersOnly }: { containersOnly?: boolean }, command: Command) =>
      apply(stackOf(command, context), context, containersOnly !== true),
    )
  firewall
    .command('remove')
    .description('close what apply opened; what the containers need among themselves stays')
    .addHelpText('after', '\nExample:\n  sudo logstack firewall remove')
    .action(async (_options: unknown, command: Command) => {
      requireRoot()
      const stack = stackOf(command, context)
      const active = await activeFirewall(look)
      if (!active) return
      const commands = await active.removal(await openingOf(stack), look, await innerOpeningOf(stack))
      await runAll(stack, commands, 'logstack firewall remove', context)
      if (firewallUnit.isInstalled()) await keep(stack, active, false)
    })
}

async function show(stack: Stack, context: CommandContext): Promise<void> {
  requireRoot()
  const opening = await openingOf(stack)
  const active = await activeFirewall(look)
  const missing = active ? await active.missing(opening, look) : []
  context.say(`firewall   ${active?.name ?? 'none that filters'}`)
  for (const { port, protocol, container } of opening.ports)
    context.say(`${`${port}/${protocol}`.padEnd(10)} ${container}`)
  if (missing.length === 0) {
    context.say('nothing is missing: other machines can reach these ports, as far as this host decides')
    return
  }
  context.say('\nto open them: sudo logstack firewall apply, which runs')
  for (const argv of missing) context.say(`  ${shellLine(argv)}`)
}

async function apply(stack: Stack, context: CommandContext, withPorts: boolean): Promise<void> {
  requireRoot()
  const active = await activeFirewall(look)
  if (!active) {
    context.say('no firewall filters here: nothing to open')
    return
  }
  const opening = await (withPorts ? openingOf(stack) : innerOpeningOf(stack))
  await runAll(stack, await active.missing(opening, look), 'logstack firewall apply', context)
  const [left] = await active.missing(opening, look)
  if (left) {
    throw new AppError(operatorErrors.step_unproven, `${active.name} does not show the rule: ${shellLine(left)}`, {
      fix: 'sudo logstack firewall show',
    })
  }
  if (withPorts) await keep(stack, active, true)
  context.say(`${active.name} lets ${withPorts ? "the stack's ports" : "the stack's containers"} through`)
}

// Rules of nftables are gone after a restart, so a unit puts them back; the others keep theirs.
async function keep(stack: Stack, active: Firewall, withPorts: boolean): Promise<void> {
  if (!active.keepsRules && !isEmbedded(stack)) await firewallUnit.install(withPorts)
}

async function runAll(
  stack: Stack,
  commands: readonly (readonly string[])[],
  name: string,
  context: CommandContext,
): Promise<void> {
  // The unit that runs this at boot has nobody who would try again.
  const take = process.stdin.isTTY ? takeLock : takeLockWhenFree
  const lock = await take(stack.paths.lockFile, name)
  try {
    for (const argv of commands) {
      context.tell(shellLine(argv))
      await runCommand(argv, { timeoutMs: commandLimitMs })
    }
  } finally {
    lock.release()
  }
}
