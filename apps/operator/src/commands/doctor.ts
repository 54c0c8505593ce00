import { AppError, errorKinds, isAppError, messageOf, operatorErrors } from '@logstack/errors'
import type { Command } from 'commander'
import { faults } from '../checks/faults/index.ts'
import { writeAudit } from '../doctor/audit.ts'
import type { Fault, Finding } from '../doctor/define-fault.ts'
import { type Examined, examine } from '../doctor/examine.ts'
import {
  endingOf,
  jsonOfExamined,
  jsonOfRepair,
  renderExamined,
  renderRepair,
  renderSummary,
} from '../doctor/render.ts'
import { type RepairRecord, repairAll } from '../doctor/repair.ts'
import { writeHealthFile } from '../health/health-file.ts'
import { installing } from '../health/installing.ts'
import { lookAgainAtLate, lookPatiently } from '../health/look-patiently.ts'
import { recordHealth } from '../health/record.ts'
import { noSuchName } from '../help/no-such-name.ts'
import { takeLock } from '../lock/lock.ts'
import type { Stack } from '../stack.ts'
import type { FixPlace } from '../telling/render-fix.ts'
import { type CommandContext, type RegisterCommand, stackOf } from './command.ts'
import { fixPlaceOf } from './fix-for.ts'
import { confirm } from './install.ts'
import { onInterruption } from './interruption.ts'
import { waitingLine } from './progress.ts'
import { ask, readSecretInput } from './read-secret-input.ts'
import { requireSetUp } from './require-set-up.ts'

interface DoctorOptions {
  readonly repair?: boolean
  readonly yes?: boolean
  readonly only?: readonly string[]
  readonly json?: boolean
  readonly record?: boolean
}

/**
 * `logstack doctor`: looks for every known fault, shows the evidence and the commands that mend it, and with `--repair` mends and proves it.
 * Exit code 0 when everything was looked at and no fault is left.
 */
export const registerDoctor: RegisterCommand = (program, context) => {
  program
    .command('doctor')
    .description(
      'find every known fault, show the evidence and the repair; exit code 0 when all was looked at and is well',
    )
    .option('--repair', 'mend what is found, after showing the commands, and prove it')
    .option('-y, --yes', 'with --repair: ask nothing')
    .option('--only <check...>', 'only these checks', checkNames)
    .option('--json', 'as JSON')
    .option(
      '--record',
      'write what was seen to search, for the page Health and alert rules; done every few minutes by itself',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  logstack doctor\n  sudo logstack doctor --repair\n  sudo logstack doctor --repair --yes --only certificates',
    )
    .action(async (options: DoctorOptions, command: Command) => {
      await doctor(options, command, context)
      // Whoever asked has the answer: commands that still hang, such as podman's, are not waited for.
      process.stdout.write('', () => process.exit())
    })
}

async function doctor(options: DoctorOptions, command: Command, context: CommandContext): Promise<void> {
  const stack = stackOf(command, context)
  requireSetUp(stack.paths.root)
  const place = fixPlaceOf(command, stack)
  const only = options.only ? new Set(options.only) : undefined
  if (options.record) return record(stack, context)
  try {
    const { last, repairs } = options.repair
      ? await mend(stack, { options, only, place, context, command })
      : { last: await look(stack), repairs: [] }
    const shown = only ? last.filter(({ fault }) => only.has(fault.name)) : last
    const { ok, complete } = endingOf(shown)
    if (options.json) {
      const answer = { ok, complete, checks: shown.map(jsonOfExamined), repairs: repairs.map(jsonOfRepair) }
      context.say(JSON.stringify(answer, undefined, 2))
    } else {
      for (const one of shown) context.say(renderExamined(one, place))
      context.say(renderSummary(shown))
    }
    if (!ok) process.exitCode = errorKinds[operatorErrors.faults_found.kind].exitCode
  } finally {
    stack.clients.close()
  }
}

// A timer runs it: what it finds is no failure of the run, and neither is a search that is down or a disk that is full.
async function record(stack: Stack, context: CommandContext): Promise<void> {
  try {
    const before = installing(stack.paths)
    const examined = before ? [] : await lookPatiently(stack, faults)
    // One that began meanwhile was seen half done, too.
    const atWork = before ?? installing(stack.paths)
    if (atWork) {
      context.say(`nothing is written down while ${atWork.command} (process ${atWork.pid}) is at work`)
      return
    }
    const now = new Date()
    context.say(renderSummary(examined))
    const known = await unlessRefused(context, () => writeHealthFile(stack.paths, examined, now))
    await unlessRefused(context, () =>
      recordHealth(stack.clients.search(), examined, { now, before: known ?? new Map() }),
    )
  } finally {
    stack.clients.close()
  }
}

async function unlessRefused<T>(context: CommandContext, write: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await write()
  } catch (thrown) {
    if (!isAppError(thrown) && (thrown as NodeJS.ErrnoException).code === undefined) throw thrown
    context.tell(`not written down: ${messageOf(thrown)}`)
    return undefined
  }
}

/** Of the look of a command, for which somebody waits. */
const looksMax = 2

// All are looked at even when few are shown: a cause may lie among the others. A fault explains what is late; without one it is a busy moment.
async function look(stack: Stack): Promise<readonly Examined[]> {
  const examined = await examine(stack, faults)
  return examined.some(({ outcome }) => outcome.status === 'fault')
    ? examined
    : lookAgainAtLate(stack, examined, looksMax)
}

interface MendOptions {
  readonly options: DoctorOptions
  readonly only: ReadonlySet<string> | undefined
  readonly place: FixPlace
  readonly context: CommandContext
  readonly command: Command
}

/** The repair that is being done, for whoever is told that it was cut off. */
interface Begun {
  readonly fault: Fault
  readonly finding: Finding
  readonly atMs: number
}

async function mend(
  stack: Stack,
  { options, only, place, context, command }: MendOptions,
): Promise<{ last: readonly Examined[]; repairs: readonly RepairRecord[] }> {
  const isWatched = !options.yes && process.stdin.isTTY === true
  const lock = takeLock(stack.paths.lockFile, 'logstack doctor --repair')
  const line = waitingLine()
  let begun: Begun | undefined
  const ignoreSignals = onInterruption((signal) => {
    line.clear()
    if (begun) keepAudit(stack, interrupted(begun, signal), context)
    lock.release()
    context.tell(`${signal}: ${begun ? `the repair of ${begun.fault.name} was cut off; ` : ''}${goesOn}`)
  })
  try {
    line.waiting('looking at everything')
    return await repairAll(() => stackOf(command, context), faults, {
      ...(only ? { only } : {}),
      talk: {
        progress: line,
        ...(isWatched ? { ask: (question, how) => askAside(line, question, how) } : {}),
        agree: async (fault, finding) => {
          line.clear()
          for (const text of renderExamined({ fault, outcome: finding, elapsedMs: 0 }, place).split('\n'))
            context.tell(text)
          if (!options.yes && !isWatched)
            throw new AppError(operatorErrors.option_invalid, 'nobody is there to be asked', { fix: 'add --yes' })
          const isAgreed = options.yes === true || (await agreed('Do this?'))
          if (isAgreed) begun = { fault, finding, atMs: performance.now() }
          line.begin()
          return isAgreed
        },
        ended: (ended) => {
          begun = undefined
          line.clear()
          keepAudit(stack, ended, context)
          context.tell(renderRepair(ended))
          line.begin()
          line.waiting('looking at everything again')
        },
      },
    })
  } finally {
    line.clear()
    ignoreSignals()
    lock.release()
  }
}

const goesOn = 'what was done stays: run it again, and it looks anew and mends the rest'

function interrupted({ fault, finding, atMs }: Begun, signal: string): RepairRecord {
  const { problem, plan } = finding
  return { check: fault.name, problem, plan, end: 'interrupted', detail: signal, elapsedMs: performance.now() - atMs }
}

function keepAudit(stack: Stack, ended: RepairRecord, context: CommandContext): void {
  const why = writeAudit(stack.paths, ended, context.env)
  if (why !== undefined) context.tell(`not written to the audit log: ${why}`)
}

async function askAside(
  line: ReturnType<typeof waitingLine>,
  question: string,
  { secret }: { readonly secret: boolean },
): Promise<string> {
  line.clear()
  return secret ? readSecretInput(question) : ask(question)
}

async function agreed(question: string): Promise<boolean> {
  try {
    await confirm(question)
    return true
  } catch (thrown) {
    if (thrown instanceof AppError) return false
    throw thrown
  }
}

function checkNames(name: string, before: readonly string[] = []): readonly string[] {
  const known = faults.map((fault: Fault) => fault.name)
  if (known.includes(name)) return [...before, name]
  throw noSuchName('check', name, known)
}
