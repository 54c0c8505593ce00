import { AppError, operatorErrors } from '@logstack/errors'
import type { Command } from 'commander'
import { listingLine } from '../runtimes/runtime.ts'
import { type RegisterCommand, stackOf } from './command.ts'

/** `logstack status`: a line a container, in the words of podman's listing. */
export const registerStatus: RegisterCommand = (program, context) => {
  program
    .command('status')
    .description('show the five parts: <container> Up <duration> [(healthy)]')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const stack = stackOf(command, context)
      const list = await stack.runtime.list()
      if (options.json) context.say(JSON.stringify(list, undefined, 2))
      else for (const status of list) if (status.state !== 'absent') context.say(listingLine(status))
      if (list.every((status) => status.state === 'absent')) {
        throw new AppError(operatorErrors.not_running, `logstack is not running in ${stack.paths.root}`, {
          fix: './logstack up --detach',
        })
      }
    })
}
