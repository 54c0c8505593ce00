import type { Command } from 'commander'
import { takeLockWhenFree } from '../lock/lock-when-free.ts'
import { type RegisterCommand, stackOf } from './command.ts'

/** `logstack vault view|list|rekey`: the secrets in the vault. */
export const registerVault: RegisterCommand = (program, context) => {
  const vault = program.command('vault').description('the secrets, one Ansible vault file each')
  vault
    .command('list')
    .description('print the names of the secrets')
    .action((_options: unknown, command: Command) => {
      for (const name of stackOf(command, context).vault.names()) context.say(name)
    })
  vault
    .command('view')
    .argument('<secret>', 'its name, or the path of its file')
    .description('print a secret')
    .action((secret: string, _options: unknown, command: Command) => {
      context.say(stackOf(command, context).vault.read(secret.split('/').at(-1) ?? secret))
    })
  vault
    .command('rekey')
    .description('encrypt all secrets with a new key; the secrets themselves stay as they are')
    .action(async (_options: unknown, command: Command) => {
      const { vault: store, paths } = stackOf(command, context)
      const lock = await takeLockWhenFree(paths.lockFile, 'logstack vault rekey')
      try {
        context.say(`${store.rekey()} secrets have a new key: ${paths.vaultKeyFile}`)
      } finally {
        lock.release()
      }
    })
}
