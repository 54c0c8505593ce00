import { setTimeout as sleep } from 'node:timers/promises'
import { isAppError } from '@logstack/errors'
import { generatePassword } from '@logstack/passwords'
import type { Command } from 'commander'
import { lockWaits, takeLockWhenFree } from '../lock/lock-when-free.ts'
import { changePassword, settlePasswords } from '../passwords/change-password.ts'
import { adoptHandedOver, type HandedOver } from '../passwords/handover.ts'
import { listUsers } from '../passwords/list-users.ts'
import type { Stack } from '../stack.ts'
import { type CommandContext, type RegisterCommand, stackOf } from './command.ts'
import { fixFor } from './fix-for.ts'
import { ask, readSecretInput } from './read-secret-input.ts'
import { requireSetUp } from './require-set-up.ts'

const adoption = { searchLimitMs: 300_000, pollMs: 1_000 } as const

/** `logstack password show|list|set|reset|settle`: the passwords of search and of the store. */
export const registerPassword: RegisterCommand = (program, context) => {
  const password = program.command('password').description('passwords of the administrator and of the parts')
  registerShowing(password, context)
  password
    .command('set')
    .argument('[user]', 'whose password; asked for without it')
    .description('change a password in search and in the store; an empty one makes a random one')
    .addHelpText('after', `\nExamples:\n  logstack password set elastic\n  logstack password set elastic < FILE`)
    .action(async (user: string | undefined, _options: unknown, command: Command) => {
      const stack = stackOf(command, context)
      requireSetUp(stack.paths.root)
      const username = user ?? (await ask('Enter username: '))
      const typed = await readSecretInput(`New password for ${username} (empty: a random one): `)
      await change(stack, context, {
        username,
        password: typed === '' ? generatePassword() : typed,
        random: typed === '',
        command,
      })
    })
  password
    .command('reset')
    .argument('[user]', "whose password; the administrator's without it")
    .description('set a random password in search and in the store, also when the stored one is wrong')
    .action(async (user: string | undefined, _options: unknown, command: Command) => {
      const stack = stackOf(command, context)
      await change(stack, context, {
        username: user ?? stack.choices.adminUser,
        password: generatePassword(),
        random: true,
        command,
      })
    })
  password
    .command('settle')
    .description('end changes that were cut off, and take over passwords that were reset inside search')
    .action(async (_options: unknown, command: Command) => settle(stackOf(command, context), context))
}

function registerShowing(password: Command, context: CommandContext): void {
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
      requireSetUp(stack.paths.root)
      for (const user of await listUsers(stack)) {
        const where =
          user.inSearch === undefined ? 'search does not answer' : user.inSearch ? 'in search' : 'not in search'
        context.say(`${user.username.padEnd(28)} ${where.padEnd(24)} ${user.hasSecret ? 'stored' : 'not stored'}`)
      }
      stack.clients.close()
    })
}

interface Wanted {
  readonly username: string
  readonly password: string
  /** Nobody typed it, so somebody must be told where it is. */
  readonly random: boolean
  readonly command: Command
}

async function change(
  stack: Stack,
  context: CommandContext,
  { username, password, random, command }: Wanted,
): Promise<void> {
  const lock = await takeLockWhenFree(stack.paths.lockFile, 'logstack password')
  try {
    const onWork = (doing: string): void => context.tell(`${doing} …`)
    const { stored, restarted } = await changePassword(stack, username, password, onWork)
    const also = restarted ? `, and ${restarted} works with it` : ''
    context.say(`changed the password of ${username}: a login with it works${also}`)
    if (stored)
      context.say(`it is stored; read it with: ${fixFor(command, stack, `./logstack password show ${username}`)}`)
    // Nobody else knows it, and the store keeps no passwords of people.
    else if (random) context.say(`New value: ${password}`)
  } finally {
    lock.release()
    stack.clients.close()
  }
}

const outcomes: Readonly<Record<HandedOver['outcome'], string>> = {
  stored: 'was reset inside search; a login with it works, it is stored now',
  known: 'was reset inside search, and there is nothing to store',
  unreadable: 'was reset inside search, but was sealed for another key than the one here: set it anew',
  outdated: 'was reset inside search, but has been changed again since',
}

/** Waits for its turn and for search: a unit runs this on its own, and nobody is there to run it again. */
async function settle(stack: Stack, context: CommandContext): Promise<void> {
  const deadline = performance.now() + adoption.searchLimitMs
  for (;;) {
    try {
      await settleOnce(stack, context)
      return
    } catch (thrown) {
      if (!isAppError(thrown) || thrown.kind !== 'unavailable' || performance.now() > deadline) throw thrown
      context.tell(`waiting: ${thrown.message}`)
      // The lock is free meanwhile: whoever brings search back needs it.
      await sleep(adoption.pollMs)
    }
  }
}

async function settleOnce(stack: Stack, context: CommandContext): Promise<void> {
  const lock = await takeLockWhenFree(stack.paths.lockFile, 'logstack password settle', lockWaits.unitMs)
  try {
    for (const username of await settlePasswords(stack)) context.say(`the new password of ${username} is stored now`)
    for (const { username, outcome } of await adoptHandedOver(stack)) {
      context.say(`the password of ${username} ${outcomes[outcome]}`)
    }
  } finally {
    lock.release()
    stack.clients.close()
  }
}
