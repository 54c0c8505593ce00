import { takeLock } from '../lock/lock.ts'
import { openHostStack } from '../stack.ts'
import { removalsOf } from '../steps/host/uninstall.ts'
import { type CommandContext, type RegisterCommand, requireRoot } from './command.ts'
import { confirm } from './install.ts'

interface UninstallOptions {
  readonly keepData?: boolean
  readonly yes?: boolean
}

/** `logstack uninstall`: takes from the host what `install` put there, and nothing else. */
export const registerUninstall: RegisterCommand = (program, context) => {
  program
    .command('uninstall')
    .description(
      'remove the stack from this host: units, containers, image, programs and, unless kept, its data (as root)',
    )
    .option('--keep-data', 'keep volumes, settings, certificates and secrets for a later installation')
    .option('-y, --yes', 'ask nothing')
    .addHelpText('after', '\nExamples:\n  sudo logstack uninstall --keep-data\n  sudo logstack uninstall --yes')
    .action((options: UninstallOptions) => uninstall(options, context))
}

async function uninstall(options: UninstallOptions, context: CommandContext): Promise<void> {
  requireRoot()
  const stack = openHostStack({ programDir: context.programDir })
  if (!options.yes) {
    await confirm(options.keepData ? 'Remove logstack, and keep its data?' : 'Remove logstack and ALL its data?')
  }
  const lock = takeLock(stack.paths.lockFile, 'logstack uninstall')
  try {
    for (const { title, remove } of removalsOf(stack, { keepData: options.keepData === true })) {
      await remove()
      context.tell(`removed ${title}`)
    }
  } finally {
    lock.release()
  }
  context.say(options.keepData ? 'logstack is removed; its data is kept' : 'logstack and its data are removed')
}
