import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { writeBundle } from '../support/bundle.ts'
import { type RegisterCommand, stackOf } from './command.ts'
import { requireSetUp } from './require-set-up.ts'

/** `logstack support-bundle`: what tells how the stack is, in one file without secrets. */
export const registerSupportBundle: RegisterCommand = (program, context) => {
  program
    .command('support-bundle')
    .description('collect what tells how the stack is into one .tar.gz, without secrets')
    .option('--output <file>', 'where to write it (default: logstack-support-HOST-TIME.tar.gz here)')
    .addHelpText('after', '\nExample:\n  sudo logstack support-bundle --output /root/support.tar.gz')
    .action(async (options: { output?: string }, command: Command) => {
      const stack = stackOf(command, context)
      requireSetUp(stack.paths.root)
      const folder = `logstack-support-${hostname()}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`
      const file = resolve(options.output ?? `${folder}.tar.gz`)
      try {
        const written = await writeBundle(stack, { file, folder, onCollect: (path) => context.tell(path) })
        context.say(`${file}: ${written.length} files, without secrets; look into it before you send it`)
      } finally {
        stack.clients.close()
      }
    })
}
