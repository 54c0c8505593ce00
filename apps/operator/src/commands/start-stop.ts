import { type PartName, parts, startOrder } from '@logstack/contracts'
import { AppError, operatorErrors } from '@logstack/errors'
import type { Command } from 'commander'
import { takeLock } from '../lock/lock.ts'
import { runningSupervisor } from '../places/supervisor-state.ts'
import { listingLine, type PartStatus } from '../runtimes/runtime.ts'
import { listPatiently, parsePart, startInOrder, stopInOrder } from '../runtimes/start-order.ts'
import { type EmbeddedStack, isEmbedded, type Stack } from '../stack.ts'
import { type CommandContext, type RegisterCommand, stackOf } from './command.ts'
import { down } from './down.ts'
import { runTasks, type Task } from './progress.ts'
import { up } from './up.ts'

/** `logstack start [PART]`: starts one part or all in their order, and waits until they are ready. */
export const registerStart: RegisterCommand = (program, context) => {
  program
    .command('start')
    .argument('[part]', 'which part; all five in their order without it')
    .description('start one part or all in their order, and wait until ready')
    .addHelpText('after', '\nExamples:\n  logstack start\n  logstack start alerter')
    .action(async (name: string | undefined, _options: unknown, command: Command) => {
      const stack = stackOf(command, context)
      if (isEmbedded(stack) && name === undefined && !runningSupervisor(stack.paths)) {
        await up(stack, { detach: true }, context)
        return
      }
      const chosen = chosenParts(name)
      await inOrder(stack, 'start', startTasks(stack, chosen), context, chosen)
    })
}

/** `logstack stop [PART]`: stops one part or all in reverse order; the data stays. */
export const registerStop: RegisterCommand = (program, context) => {
  program
    .command('stop')
    .argument('[part]', 'which part; all five in reverse order without it')
    .description('stop one part or all in reverse order; data, secrets and settings stay')
    .addHelpText('after', '\nExamples:\n  logstack stop\n  logstack stop alerter')
    .action(async (name: string | undefined, _options: unknown, command: Command) => {
      const stack = stackOf(command, context)
      if (isEmbedded(stack) && name === undefined) {
        await down(stack, context)
        return
      }
      await inOrder(stack, 'stop', stopTasks(stack, chosenParts(name)), context, [])
    })
}

/** `logstack restart [PART]`: stops in reverse order, starts in order, waits until ready. */
export const registerRestart: RegisterCommand = (program, context) => {
  program
    .command('restart')
    .argument('[part]', 'which part; all five in their order without it')
    .description('stop and start one part or all, and wait until ready')
    .addHelpText('after', '\nExamples:\n  logstack restart\n  logstack restart search')
    .action(async (name: string | undefined, _options: unknown, command: Command) => {
      const stack = stackOf(command, context)
      const chosen = chosenParts(name)
      await inOrder(stack, 'restart', restartTasks(stack, chosen), context, chosen)
    })
}

/** Stops parts in reverse order and starts them in order. */
export function restartTasks(stack: Stack, chosen: readonly PartName[]): Task[] {
  return [...stopTasks(stack, chosen), ...startTasks(stack, chosen)]
}

function chosenParts(name: string | undefined): readonly PartName[] {
  return name === undefined ? parts : [parsePart(name)]
}

async function inOrder(
  stack: Stack,
  verb: string,
  tasks: readonly Task[],
  context: CommandContext,
  listed: readonly PartName[],
): Promise<void> {
  requireSupervisor(stack)
  const lock = takeLock(stack.paths.lockFile, `logstack ${verb}`)
  try {
    await runTasks(tasks)
  } finally {
    lock.release()
  }
  if (listed.length === 0) return
  for (const status of await listPatiently(stack.runtime))
    if (listed.includes(status.part)) context.say(listingLine(status))
}

// The parts of an embedded stack belong to its supervisor: without it nothing can be ordered.
function requireSupervisor(stack: Stack | EmbeddedStack): void {
  if (!isEmbedded(stack) || runningSupervisor(stack.paths)) return
  throw new AppError(operatorErrors.not_running, `logstack is not running in ${stack.paths.root}`, {
    fix: './logstack up --detach',
  })
}

/** Starts the chosen parts, a task a group; the last one tells systemd that the stack as a whole is on, when all of it is. */
function startTasks(stack: Stack, chosen: readonly PartName[]): Task[] {
  const groups = groupsOf(chosen, startOrder).map(
    (group): Task => ({
      title: `start ${group.join(', ')}`,
      needs: group,
      run: (progress) => startInOrder(stack.runtime, group, (waitingFor) => progress.waiting(waitingWords(waitingFor))),
    }),
  )
  return [...groups, ...wholeStack(stack, chosen, 'start')]
}

function stopTasks(stack: Stack, chosen: readonly PartName[]): Task[] {
  const groups = groupsOf(chosen, [...startOrder].reverse()).map(
    (group): Task => ({ title: `stop ${group.join(', ')}`, run: () => stopInOrder(stack.runtime, group) }),
  )
  return [...groups, ...wholeStack(stack, chosen, 'stop')]
}

function wholeStack({ runtime }: Stack, chosen: readonly PartName[], verb: 'start' | 'stop'): Task[] {
  const order = runtime.orderWhole?.bind(runtime)
  if (!order || chosen.length < parts.length) return []
  return [{ title: `${verb} logstack.service`, needs: parts, run: () => order(verb) }]
}

function groupsOf(chosen: readonly PartName[], order: readonly (readonly PartName[])[]): PartName[][] {
  return order.map((group) => group.filter((part) => chosen.includes(part))).filter((group) => group.length > 0)
}

/** What is waited for, in the words of the listing. */
function waitingWords(waitingFor: readonly PartStatus[]): string {
  return waitingFor.map((status) => `waiting for ${status.part}: ${status.statusText || 'not listed yet'}`).join(', ')
}
