import { containerName, parts } from '@logstack/contracts'
import type { Command } from 'commander'
import { takeLock } from '../lock/lock.ts'
import { reapOrphans, runningSupervisor } from '../places/supervisor-state.ts'
import type { EmbeddedStack } from '../stack.ts'
import { type CommandContext, embeddedStackOf, type RegisterCommand } from './command.ts'

/** `logstack down`: stops all parts in reverse order; the data stays. */
export const registerDown: RegisterCommand = (program, context) => {
  program
    .command('down')
    .description('stop all parts in reverse order; data, secrets and settings stay')
    .addHelpText('after', '\nExample:\n  logstack down')
    .action(async (_options: unknown, command: Command) => down(embeddedStackOf(command, context), context))
}

/** Stops an embedded stack with its supervisor, and says what was stopped. */
export async function down(stack: EmbeddedStack, context: CommandContext): Promise<void> {
  if (!runningSupervisor(stack.paths)) {
    const ended = await reapOrphans(stack.paths)
    context.say(ended.length > 0 ? `stopped ${ended.join(', ')}` : 'logstack is not running')
    return
  }
  const lock = takeLock(stack.paths.lockFile, 'logstack down')
  try {
    await stack.runtime.shutdown()
  } finally {
    lock.release()
  }
  context.say(`stopped ${[...parts].reverse().map(containerName).join(', ')}`)
}
