import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, operatorErrors } from '@logstack/errors'
import { logFileOf } from '../places/paths.ts'
import { runningSupervisor } from '../places/supervisor-state.ts'
import { lastWords } from '../runtimes/process/log-file.ts'
import type { EmbeddedStack } from '../stack.ts'
import { unproven } from '../telling/unproven.ts'
import { defineStep, findingOf } from './define-step.ts'

const waiting = { limitMs: 20_000, pollMs: 20 } as const

/** The process that owns the parts; it outlives the command that starts it. */
export const startSupervisor = defineStep<EmbeddedStack>({
  name: 'start-supervisor',
  title: 'supervisor',
  async diagnose({ paths }) {
    return findingOf(runningSupervisor(paths) ? [] : ['logstack supervise'])
  },
  async apply(stack) {
    const { paths } = stack
    mkdirSync(paths.logDir, { recursive: true })
    const logFile = logFileOf(paths, 'logstack-supervisor')
    const log = openSync(logFile, 'a', 0o640)
    const program = join(paths.programDir, 'dist', 'operator.mjs')
    const argv = [program, 'supervise', '--data', paths.root]
    const child = spawn(process.execPath, argv, { detached: true, stdio: ['ignore', log, log], cwd: paths.root })
    closeSync(log)
    let ended = false
    child.once('exit', () => {
      ended = true
    })
    child.unref()
    const deadline = performance.now() + waiting.limitMs
    while (!runningSupervisor(paths)) {
      if (ended || performance.now() > deadline) {
        const words = lastWords(readFileSync(logFile, 'utf8').trim().split('\n')) ?? 'it said nothing'
        throw new AppError(operatorErrors.part_failed, `the supervisor does not start: ${words}`, {
          fix: `read ${logFile}`,
        })
      }
      await sleep(waiting.pollMs)
    }
  },
  async prove(stack) {
    if ((await stack.runtime.children()).length === 0)
      throw unproven('the supervisor does not answer', './logstack down')
  },
})
