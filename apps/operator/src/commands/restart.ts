import { parts } from '@logstack/contracts'
import type { Command } from 'commander'
import { takeLock } from '../lock/lock.ts'
import { listingLine } from '../runtimes/runtime.ts'
import { parsePart, startInOrder, stopInOrder } from '../runtimes/start-order.ts'
import { type RegisterCommand, stackOf } from './command.ts'

/** `logstack restart [PART]`: stops in reverse order, starts in order, waits until ready. */
export const registerRestart: RegisterCommand = (program, context) => {
  program
    .command('restart')
    .argument('[part]', 'which part; all five in their order without it')
    .description('stop and start one part or all, and wait until ready')
    .action(async (name: string | undefined, _options: unknown, command: Command) => {
      const stack = stackOf(command, context)
      const chosen = name === undefined ? parts : [parsePart(name)]
      const lock = takeLock(stack.paths.lockFile, 'logstack restart')
      try {
        await stopInOrder(stack.runtime, chosen)
        await startInOrder(stack.runtime, chosen)
      } finally {
        lock.release()
      }
      const list = await stack.runtime.list()
      for (const status of list) if (chosen.includes(status.part)) context.say(listingLine(status))
    })
}
