import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, operatorErrors } from '@logstack/errors'
import { type Command, InvalidArgumentError } from 'commander'
import { preflights } from '../checks/preflight/index.ts'
import { takeLock } from '../lock/lock.ts'
import { defaultDataDir, rememberStack } from '../places/data-dir.ts'
import { reapOrphans, runningSupervisor } from '../places/supervisor-state.ts'
import { outdatedParts } from '../runtimes/process/outdated-parts.ts'
import { listingLine } from '../runtimes/runtime.ts'
import { type EmbeddedStack, openStack } from '../stack.ts'
import { upStepsWith } from '../steps/index.ts'
import type { RemoteSearchGiven } from '../steps/remote-search.ts'
import { runSteps, type StepReporter } from '../steps/run-steps.ts'
import { renderFix } from '../telling/render-fix.ts'
import { type CommandContext, newStackOf, type RegisterCommand } from './command.ts'
import { seconds, standardProgress } from './progress.ts'
import { remoteSearchGiven, type SearchOptions, searchOptions } from './search-options.ts'

interface UpOptions {
  readonly detach?: boolean
  readonly ip?: string
  readonly portOffset?: number
  readonly adminUser?: string
  readonly searchUrl?: string
  readonly remoteSearch?: RemoteSearchGiven
  readonly dryRun?: boolean
}

const interruptedExitCode = 130
const attachedPollMs = 500

/** `logstack up`: sets up what is missing, starts everything, and stays until Ctrl-C unless detached. */
export const registerUp: RegisterCommand = (program, context) => {
  program
    .command('up')
    .description('set up what is missing and start all five parts on this machine')
    .option('-d, --detach', 'return when everything is ready; stop it with: logstack down')
    .option(
      '--ip <address>',
      'address other machines use for this one; without it only this machine can connect',
      address,
    )
    .option('--port-offset <n>', 'add n to every port, to run several stacks side by side', wholeNumber)
    .option('--admin-user <name>', "the administrator's name, chosen at the first start (default: elastic)")
    .option(...searchOptions.url)
    .option(...searchOptions.ca)
    .option(...searchOptions.passwordFile)
    .option('--dry-run', 'show what would be done, and do nothing')
    .addHelpText(
      'after',
      '\nExamples:\n  logstack up\n  logstack up --detach --ip 192.0.2.10\n  logstack up --data ~/second --port-offset 1000',
    )
    .action(async (options: UpOptions, command: Command) => {
      const { ip, portOffset, adminUser, searchUrl } = options
      const stack = newStackOf(command, context, { ipvar: ip, portOffset, adminUser, searchUrl })
      const remoteSearch = remoteSearchGiven(stack, command.opts<SearchOptions>(), context)
      await up(stack, { ...options, remoteSearch }, context)
    })
}

/** Starts an embedded stack; stays until it is stopped, unless detached. */
export async function up(stack: EmbeddedStack, options: UpOptions, context: CommandContext): Promise<void> {
  const startedAtMs = performance.now()
  const reporter = standardProgress()
  const steps = upStepsWith(options.remoteSearch ?? {})
  if (options.dryRun) {
    await runSteps(steps.slice(0, firstStepThatNeedsParts(steps)), stack, { reporter, dryRun: true })
    return
  }
  if (runningSupervisor(stack.paths) && keepsChoices(stack, options)) {
    const isWhole = (await stack.runtime.list()).every(({ ready }) => ready)
    if (isWhole && options.detach) return sayReady(stack, context, undefined)
    if (!isWhole) return startWhatIsDown(stack, context, { steps, reporter, stay: !options.detach })
  }
  for (const look of preflights.folder) await look(stack)
  const lock = takeLock(stack.paths.lockFile, 'logstack up')
  let isReady = false
  const stopOnSignal = onSignals(() => void stopAndExit(stack, context, isReady ? 0 : interruptedExitCode))
  try {
    await reapOrphans(stack.paths)
    for (const look of preflights.machine) await look(stack)
    rememberStack(stack.paths.root, context.env)
    await runSteps(steps, stack, { reporter })
    isReady = true
  } catch (thrown) {
    // The data stays, and the next start goes on where this one ended.
    if (!(await sayWhatRuns(stack, context))) await shutdown(stack)
    throw thrown
  } finally {
    lock.release()
    stack.clients.close()
  }
  await sayReady(stack, context, performance.now() - startedAtMs)
  if (options.detach) stopOnSignal.forget()
  else await stayAttached(stack, context)
}

/** What runs of a stack is left as it is, also when those parts that were stopped or have failed do not start. */
async function startWhatIsDown(
  stack: EmbeddedStack,
  context: CommandContext,
  how: { readonly steps: ReturnType<typeof upStepsWith>; readonly reporter: StepReporter; readonly stay: boolean },
): Promise<void> {
  const startedAtMs = performance.now()
  const lock = takeLock(stack.paths.lockFile, 'logstack up')
  try {
    await runSteps(how.steps, stack, { reporter: how.reporter })
  } catch (thrown) {
    await sayWhatRuns(stack, context)
    throw thrown
  } finally {
    lock.release()
    stack.clients.close()
  }
  await sayReady(stack, context, performance.now() - startedAtMs)
  if (!how.stay) return
  onSignals(() => void stopAndExit(stack, context, 0))
  await stayAttached(stack, context)
}

/** Says which parts run though something else failed, and how to go on; false when none does. */
async function sayWhatRuns({ paths, runtime }: EmbeddedStack, context: CommandContext): Promise<boolean> {
  if (!runningSupervisor(paths)) return false
  const up = (await runtime.list()).filter(({ state, failedStarts = 0 }) => state === 'running' && failedStarts === 0)
  if (up.length === 0) return false
  const names = up.map(({ part }) => part).join(', ')
  context.tell(`\nleft running: ${names} (the same command starts what is missing, ./logstack down stops all)`)
  return true
}

// A plan beyond this step would ask parts that do not run.
function firstStepThatNeedsParts(steps: ReturnType<typeof upStepsWith>): number {
  return steps.findIndex((step) => step.name === 'start-supervisor')
}

/** Whether a running stack already is what was asked for. */
function keepsChoices({ paths }: EmbeddedStack, { ip, portOffset, adminUser, searchUrl }: UpOptions): boolean {
  const kept = openStack({ dataDir: paths.root, programDir: paths.programDir }).choices
  return (
    (ip === undefined || ip === kept.ipvar) &&
    (portOffset === undefined || portOffset === kept.portOffset) &&
    (adminUser === undefined || adminUser === kept.adminUser) &&
    (searchUrl === undefined || searchUrl === kept.searchUrl)
  )
}

/** Says how a stack is reached. Without `elapsedMs` it was running before. */
async function sayReady(stack: EmbeddedStack, context: CommandContext, elapsedMs: number | undefined): Promise<void> {
  const { say } = context
  const { choices, clients, paths } = stack
  const host = choices.ipvar
  const place = paths.root === defaultDataDir(context.env) ? {} : { dataDir: paths.root }
  say('')
  const statuses = await stack.runtime.list()
  for (const status of statuses) say(listingLine(status))
  say('')
  say(`dashboard        ${withHost(clients.dashboardUrl, host)}`)
  say(`search           ${withHost(clients.searchUrl, host)}`)
  say(`agent-server     ${withHost(clients.agentServerUrl, host)}`)
  say(`syslog           ${host}:${stack.ports.of(514)}   (udp and tcp)`)
  say(
    `administrator    ${choices.adminUser}   (read the password with: ${renderFix('./logstack password show', place)})`,
  )
  say(`CA certificate   ${paths.caFile}`)
  say(`data             ${paths.root}`)
  say('')
  if (elapsedMs !== undefined) return context.tell(`ready in ${seconds(elapsedMs)}`)
  context.tell('already running; nothing was changed')
  const outdated = outdatedParts(statuses, paths.programDir)
  if (outdated.length > 0) {
    const anew = renderFix('./logstack down && ./logstack up --detach', place)
    context.tell(`started before their programs were built: ${outdated.join(', ')}; to run the new ones: ${anew}`)
  }
}

function withHost(url: string, host: string): string {
  return url.replace('127.0.0.1', isIP(host) === 6 ? `[${host}]` : host)
}

async function stayAttached(stack: EmbeddedStack, context: CommandContext): Promise<void> {
  context.tell('press Ctrl-C to stop')
  while (runningSupervisor(stack.paths)) await sleep(attachedPollMs)
  context.tell('stopped')
}

async function stopAndExit(stack: EmbeddedStack, context: CommandContext, exitCode: number): Promise<void> {
  context.tell('\nstopping')
  await shutdown(stack)
  process.exit(exitCode)
}

/** Stops a running stack; nothing to do when none runs. */
async function shutdown(stack: EmbeddedStack): Promise<void> {
  if (runningSupervisor(stack.paths)) await stack.runtime.shutdown()
}

function onSignals(call: () => void): { forget(): void } {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  let called = false
  const once = (): void => {
    if (!called) call()
    called = true
  }
  for (const signal of signals) process.on(signal, once)
  return {
    forget: () => {
      for (const signal of signals) process.off(signal, once)
    },
  }
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('it must be a whole number')
  return Number(text)
}

function address(text: string): string {
  if (isIP(text) !== 0) return text
  throw new AppError(operatorErrors.option_invalid, `[${text}] is not an IP address`, {
    fix: 'use one of this machine, for example from: ip -brief address',
  })
}
