import { AppError, operatorErrors } from '@logstack/errors'
import type { Command } from 'commander'
import { takeLockWhenFree } from '../lock/lock-when-free.ts'
import type { Stack } from '../stack.ts'
import { handOver, requirePartOfSecret } from '../vault/people-secrets.ts'
import { type RegisterCommand, stackOf } from './command.ts'
import { readSecretInput } from './read-secret-input.ts'
import { requireSetUp } from './require-set-up.ts'

/** `logstack vault view|list|set|remove|rekey`: the secrets in the vault. */
export const registerVault: RegisterCommand = (program, context) => {
  const vault = program.command('vault').description('the secrets, one Ansible vault file each')
  vault
    .command('list')
    .description('print the names of the secrets')
    .action((_options: unknown, command: Command) => {
      const { paths, vault: secrets } = stackOf(command, context)
      requireSetUp(paths.root)
      for (const name of secrets.names()) context.say(name)
    })
  vault
    .command('view')
    .argument('<secret>', 'its name, or the path of its file')
    .description('print a secret')
    .action((secret: string, _options: unknown, command: Command) => {
      context.say(stackOf(command, context).vault.read(secret.split('/').at(-1) ?? secret))
    })
  vault
    .command('set')
    .argument('<secret>', 'its name, PART.NAME: the part gets it as a file in memory')
    .description('keep a secret of yours for a part, such as a password of a mail server for the alerter')
    .addHelpText(
      'after',
      '\nExample:\n  logstack vault set alerter.smtp    then in rules/channels.yml: secret:alerter.smtp',
    )
    .action(async (name: string, _options: unknown, command: Command) => {
      const stack = stackOf(command, context)
      const part = requirePartOfSecret(stack, name)
      const value = await readSecretInput(`Secret ${name}: `)
      if (value === '') {
        const fix = 'type it, or give it on standard input; logstack vault remove takes it away'
        throw new AppError(operatorErrors.option_invalid, 'an empty secret is none', { fix })
      }
      await changing(stack, `logstack vault set ${name}`, () => stack.vault.write(name, value))
      handOver(stack, part, name)
      context.say(`${name} is in the vault, and with the ${part}`)
    })
  vault
    .command('remove')
    .argument('<secret>', 'its name, PART.NAME')
    .description('take away a secret that was kept with set')
    .action(async (name: string, _options: unknown, command: Command) => {
      const stack = stackOf(command, context)
      const part = requirePartOfSecret(stack, name)
      stack.vault.read(name)
      await changing(stack, `logstack vault remove ${name}`, () => stack.vault.remove(name))
      handOver(stack, part, name)
      context.say(`${name} is removed`)
    })
  vault
    .command('rekey')
    .description('encrypt all secrets with a new key; the secrets themselves stay as they are')
    .action(async (_options: unknown, command: Command) => {
      const stack = stackOf(command, context)
      const count = await changing(stack, 'logstack vault rekey', () => stack.vault.rekey())
      context.say(`${count} secrets have a new key: ${stack.paths.vaultKeyFile}`)
    })
}

async function changing<T>({ paths }: Stack, what: string, change: () => T): Promise<T> {
  const lock = await takeLockWhenFree(paths.lockFile, what)
  try {
    return change()
  } finally {
    lock.release()
  }
}
