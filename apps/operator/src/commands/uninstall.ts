import { existsSync } from 'node:fs'
import { AppError, operatorErrors } from '@logstack/errors'
import type { Command } from 'commander'
import { takeLock } from '../lock/lock.ts'
import { defaultDataDir, namedDataDir, runningStacks } from '../places/data-dir.ts'
import { hostHasStack } from '../places/host.ts'
import { openHostStack } from '../stack.ts'
import { removalsOf, requireNothingMounted } from '../steps/host/uninstall.ts'
import { type CommandContext, type GlobalOptions, type RegisterCommand, requireRoot } from './command.ts'
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
    .action((options: UninstallOptions, command: Command) => {
      requireHostMeant(command.optsWithGlobals<GlobalOptions>().data, context)
      return uninstall(options, context)
    })
}

/** `option_invalid` where a stack of `up` is meant: named by its folder, or the only one there is. It is no stack of the host, which is all that is removed here. */
function requireHostMeant(option: string | undefined, { env }: CommandContext): void {
  const [running] = runningStacks(env)
  const byDefault = defaultDataDir(env)
  const own = running ?? (existsSync(byDefault) ? byDefault : undefined)
  const embedded = namedDataDir(option, env) ?? (hostHasStack() ? undefined : own)
  if (embedded === undefined) return
  throw new AppError(
    operatorErrors.option_invalid,
    `uninstall removes the stack that install put on this host, not the one in ${embedded}`,
    { fix: 'that one goes with: ./logstack down, and by deleting its folder' },
  )
}

async function uninstall(options: UninstallOptions, context: CommandContext): Promise<void> {
  requireRoot()
  const stack = openHostStack({ programDir: context.programDir })
  const { keepData = false } = options
  requireNothingMounted(stack, { keepData })
  if (!options.yes) {
    await confirm(keepData ? 'Remove logstack, and keep its data?' : 'Remove logstack and ALL its data?')
  }
  const lock = takeLock(stack.paths.lockFile, 'logstack uninstall')
  try {
    for (const { title, remove } of removalsOf(stack, { keepData })) {
      await remove()
      context.tell(`removed ${title}`)
    }
  } finally {
    lock.release()
  }
  context.say(keepData ? 'logstack is removed; its data is kept' : 'logstack and its data are removed')
}
