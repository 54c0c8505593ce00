import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, operatorErrors } from '@logstack/errors'
import type { Command } from 'commander'
import { lastLookWords } from '../health/health-file.ts'
import { listingLine, type PartStatus } from '../runtimes/runtime.ts'
import type { Stack } from '../stack.ts'
import { type CommandContext, type RegisterCommand, stackOf } from './command.ts'
import { fixFor } from './fix-for.ts'

interface StatusOptions {
  readonly json?: boolean
  readonly watch?: boolean
}

const watchMs = 2_000

/** `logstack status`: a line a container, in the words of podman's listing. */
export const registerStatus: RegisterCommand = (program, context) => {
  program
    .command('status')
    .description('show the five parts: <container> Up <duration> [(healthy)]')
    .option('--json', 'as JSON')
    .option('-w, --watch', 'show it again every two seconds until Ctrl-C')
    .addHelpText('after', '\nExamples:\n  logstack status\n  logstack status --watch\n  logstack status --json')
    .action(async (options: StatusOptions, command: Command) => {
      const stack = stackOf(command, context)
      if (options.watch) return watch(stack, options, context)
      await showOnce(stack, options, context)
      const seen = lastLookWords(stack.paths, new Date())
      if (seen) context.tell(`${seen}; now: ${fixFor(command, stack, './logstack doctor')}`)
    })
}

async function showOnce(stack: Stack, options: StatusOptions, context: CommandContext): Promise<void> {
  const list = await stack.runtime.list()
  if (options.json) context.say(JSON.stringify(list, undefined, 2))
  else for (const line of linesOf(list)) context.say(line)
  const missing = list.filter((status) => status.state === 'absent')
  if (missing.length === list.length) {
    throw new AppError(
      operatorErrors.not_running,
      `logstack is not running in ${stack.paths.root || 'containers here'}`,
      {
        fix: './logstack up --detach',
      },
    )
  }
  for (const { name } of missing) context.tell(`${name} is not running`)
}

/** On a terminal one picture that changes; elsewhere the lines again whenever one of them says something new. */
async function watch(stack: Stack, options: StatusOptions, context: CommandContext): Promise<void> {
  const isTerminal = process.stdout.isTTY === true
  let shown = ''
  for (;;) {
    const list = await stack.runtime.list()
    const lines = options.json ? [JSON.stringify(list)] : linesOf(list)
    const state = JSON.stringify(list.map(({ name, health, ready, ...status }) => [name, status.state, health, ready]))
    if (isTerminal) {
      process.stdout.write('\x1b[H\x1b[2J')
      context.say((lines.length > 0 ? lines : ['nothing is running']).join('\n'))
    } else if (state !== shown)
      context.say(`${new Date().toISOString()}\n${(lines.length > 0 ? lines : ['nothing is running']).join('\n')}`)
    shown = state
    await sleep(watchMs)
  }
}

function linesOf(list: readonly PartStatus[]): string[] {
  return list.filter((status) => status.state !== 'absent').map(listingLine)
}
