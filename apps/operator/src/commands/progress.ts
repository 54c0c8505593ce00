import type { NamedStep, StepReporter } from '../steps/run-steps.ts'

const titleWidth = 44
const redrawMs = 200

/** Where progress is drawn: a terminal gets one line that changes, anything else one line when a step has ended. */
export interface ProgressOutput {
  readonly isTerminal: boolean
  write(text: string): void
}

/** Shows steps as they go: number, title, what is waited for, and the time each took. */
export function stepReporter(output: ProgressOutput, now: () => number = () => performance.now()): StepReporter {
  let head = ''
  let drawnAtMs = 0
  const draw = (tail: string): void => output.write(`\r\x1b[K${head.padEnd(titleWidth)} ${tail}`)
  return {
    begin(step: NamedStep, number: number, count: number) {
      head = `[${String(number).padStart(2)}/${count}] ${step.title}`
      const startedAtMs = now()
      if (output.isTerminal) draw('')
      return {
        waiting(text) {
          if (!output.isTerminal || now() - drawnAtMs < redrawMs) return
          drawnAtMs = now()
          draw(`${seconds(now() - startedAtMs)}  ${text}`)
        },
      }
    },
    end(_step, { changed, elapsedMs }) {
      const tail = changed ? `done ${seconds(elapsedMs)}` : `ok   ${seconds(elapsedMs)}`
      if (output.isTerminal) draw(`${tail}\n`)
      else output.write(`${head.padEnd(titleWidth)} ${tail}\n`)
    },
    plan(_step, lines) {
      if (output.isTerminal) output.write('\r\x1b[K')
      output.write(`${head}\n${lines.map((line) => `      ${line}\n`).join('')}`)
    },
  }
}

/** A time in seconds with one digit. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
