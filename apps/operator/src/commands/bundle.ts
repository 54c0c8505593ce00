import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { AppError, operatorErrors } from '@logstack/errors'
import { takeLock } from '../lock/lock.ts'
import { hostIsInstalled } from '../places/host.ts'
import { hostPaths } from '../places/paths.ts'
import { createBundle } from '../steps/host/bundle.ts'
import { type RegisterCommand, requireRoot } from './command.ts'
import { runTasks } from './progress.ts'

/** `logstack bundle create FILE`: one file to install from where there is no network. */
export const registerBundle: RegisterCommand = (program, context) => {
  const bundle = program.command('bundle').description('install where there is no network')
  bundle
    .command('create')
    .argument('<file>', 'where to write it')
    .description('write the installed programs and the image they are built on into one file')
    .addHelpText(
      'after',
      '\nExamples:\n  sudo logstack bundle create logstack.tar.gz\n  tar -xf logstack.tar.gz && sudo logstack/logstack install',
    )
    .action(async (file: string) => {
      requireRoot()
      if (!hostIsInstalled()) {
        throw new AppError(
          operatorErrors.not_running,
          'a bundle is made of an installed stack, and this host has none',
          {
            fix: 'sudo ./logstack install',
          },
        )
      }
      const lock = takeLock(hostPaths(context.programDir).lockFile, 'logstack bundle create')
      try {
        await runTasks([{ title: 'bundle', run: () => createBundle(file) }])
      } finally {
        lock.release()
      }
      context.say(`${resolve(file)}   ${Math.round(statSync(file).size / 1_000_000)} MB`)
      context.say('on the other host: tar -xf FILE && sudo logstack/logstack install')
    })
}
