import type { PartName } from '@logstack/contracts'
import { PartFailures } from '../runtimes/part-failures.ts'
import type { StepProgress } from '../steps/define-step.ts'
import type { NamedStep, StepReporter } from '../steps/run-steps.ts'

const titleWidth = 44
const redrawMs = 200

/** Where progress is drawn: a terminal gets one line that changes, anything else one line when a step has ended. */
export interface ProgressOutput {
  readonly isTerminal: boolean
  /** Characters of a terminal's line; as many as there are unless given. */
  readonly columns?: number | undefined
  write(text: string): void
}

/** Shows steps as they go: number, title, what is waited for, and the time each took. */
export function stepReporter(output: ProgressOutput, now: () => number = () => performance.now()): StepReporter {
  let head = ''
  let drawnAtMs = 0
  const lineOf = (tail: string): string => `${head.padEnd(titleWidth)} ${tail}`
  return {
    begin(step: NamedStep, number: number, count: number) {
      head = `[${String(number).padStart(2)}/${count}] ${step.title}`
      const startedAtMs = now()
      if (output.isTerminal) redraw(output, lineOf(''))
      return {
        waiting(text) {
          if (!output.isTerminal || now() - drawnAtMs < redrawMs) return
          drawnAtMs = now()
          redraw(output, lineOf(`${seconds(now() - startedAtMs)}  ${text}`))
        },
      }
    },
    end(_step, { changed, elapsedMs }) {
      const tail = changed ? `done ${seconds(elapsedMs)}` : `ok   ${seconds(elapsedMs)}`
      output.write(`${output.isTerminal ? '\r\x1b[K' : ''}${lineOf(tail)}\n`)
    },
    failed(_step, { elapsedMs }) {
      const tail = `FAILED ${seconds(elapsedMs)}`
      output.write(`${output.isTerminal ? '\r\x1b[K' : ''}${lineOf(tail)}\n`)
    },
    leftOut(_step, lack) {
      output.write(`${output.isTerminal ? '\r\x1b[K' : ''}${lineOf(`left out: ${lack} is not up`)}\n`)
    },
    plan(_step, lines) {
      if (output.isTerminal) output.write('\r\x1b[K')
      output.write(`${head}\n${lines.map((line) => `      ${line}\n`).join('')}`)
    },
  }
}

// A second line, or what is longer than the terminal's, would stay on the screen for good.
function redraw({ write, columns }: ProgressOutput, text: string): void {
  const line = text.replaceAll(/\s*\n\s*/g, ' ')
  const isLong = columns !== undefined && columns > 0 && line.length >= columns
  write(`\r\x1b[K${isLong ? `${line.slice(0, columns - 2)}…` : line}`)
}

const standardOutput: ProgressOutput = {
  isTerminal: process.stderr.isTTY === true,
  get columns() {
    return process.stderr.columns
  },
  write: (text) => void process.stderr.write(text),
}

/** Progress on this process's standard error. */
export function standardProgress(): StepReporter {
  return stepReporter(standardOutput)
}

/** One line of a terminal that says what is waited for, and for how long, until something else is written; nothing elsewhere. */
export function waitingLine(
  output: ProgressOutput = standardOutput,
  now: () => number = () => performance.now(),
): StepProgress & { begin(): void; clear(): void } {
  let startedAtMs = now()
  let drawnAtMs: number | undefined
  return {
    begin() {
      startedAtMs = now()
    },
    waiting(text) {
      if (!output.isTerminal || (drawnAtMs !== undefined && now() - drawnAtMs < redrawMs)) return
      drawnAtMs = now()
      redraw(output, `${seconds(now() - startedAtMs).padStart(9)} ${text}`)
    },
    clear() {
      if (drawnAtMs !== undefined) output.write('\r\x1b[K')
      drawnAtMs = undefined
    },
  }
}

/** Something a command does that takes time; `progress` is told what it waits for. */
export interface Task {
  readonly title: string
  /** The parts without which it cannot be done; none unless told. */
  readonly needs?: readonly PartName[]
  run(progress: StepProgress): Promise<void>
}

/** Runs tasks one after the other and shows each as it goes; a part that does not start ends only those that need it, and is told at the end. */
export async function runTasks(tasks: readonly Task[], reporter: StepReporter = standardProgress()): Promise<void> {
  const failures = new PartFailures()
  for (const [index, task] of tasks.entries()) {
    const startedAtMs = performance.now()
    const shown = { name: task.title, title: task.title }
    const progress = reporter.begin(shown, index + 1, tasks.length)
    const lack = failures.lackOf(task.needs ?? [])
    if (lack) {
      reporter.leftOut(shown, lack)
      continue
    }
    try {
      await task.run(progress)
      reporter.end(shown, { changed: true, elapsedMs: performance.now() - startedAtMs })
    } catch (thrown) {
      reporter.failed(shown, { elapsedMs: performance.now() - startedAtMs })
      failures.keep(thrown)
    }
  }
  failures.throwAny()
}

/** A time in seconds with one digit. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
