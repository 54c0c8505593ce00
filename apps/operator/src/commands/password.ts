import { generatePassword } from '@logstack/passwords'
import type { Command } from 'commander'
import { takeLock } from '../lock/lock.ts'
import { changePassword } from '../passwords/change-password.ts'
import { listUsers } from '../passwords/list-users.ts'
import type { Stack } from '../stack.ts'
import { type CommandContext, type RegisterCommand, stackOf } from './command.ts'
import { ask, readSecretInput } from './read-secret-input.ts'

/** `logstack password show|list|set`: the stored passwords. */
export const registerPassword: RegisterCommand = (program, context) => {
  const password = program.command('password').description('passwords of the administrator and of the parts')
  password
    .command('show')
    .argument('[user]', "whose password; the administrator's without it")
    .description('print a stored password')
    .action((user: string | undefined, _options: unknown, command: Command) => {
      const stack = stackOf(command, context)
      context.say(stack.vault.read(user ?? stack.choices.adminUser))
    })
  password
    .command('list')
    .description('the users of search, and which of them have a stored password')
    .action(async (_options: unknown, command: Command) => {
      const stack = stackOf(command, context)
      for (const user of await listUsers(stack)) {
        const where =
          user.inSearch === undefined ? 'search does not answer' : user.inSearch ? 'in search' : 'not in search'
        context.say(`${user.username.padEnd(28)} ${where.padEnd(24)} ${user.hasSecret ? 'stored' : 'not stored'}`)
      }
      stack.clients.close()
    })
  password
    .command('set')
    .argument('[user]', 'whose password; asked for without it')
    .description('change a password in search and in the store; an empty one makes a random one')
    .action(async (user: string | undefined, _options: unknown, command: Command) =>
      setPassword(stackOf(command, context), user, context),
    )
}

async function setPassword(stack: Stack, given: string | undefined, context: CommandContext): Promise<void> {
  const username = given ?? (await ask('Enter username: '))
  const typed = await readSecretInput(`New password for ${username} (empty: a random one): `)
  const lock = takeLock(stack.paths.lockFile, 'logstack password set')
  try {
    await changePassword(stack, username, typed === '' ? generatePassword() : typed)
  } finally {
    lock.release()
    stack.clients.close()
  }
  context.say(`changed the password of ${username}; read it with: ./logstack password show ${username}`)
}
