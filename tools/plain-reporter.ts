import { writeFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

/** What one run of vitest amounted to; `tools/test.mjs` reads it from the file named by `LOGSTACK_TEST_RESULT` and sums up. */
export interface TestTotals {
  passed: number
  failed: number
  /** Full name and first words of each failure, so that whoever has only the end of a long run's output can read what failed. */
  readonly failures: { name: string; message: string }[]
  /** Full name and reason of each test that was not run. */
  readonly skipped: { name: string; reason: string }[]
}

/** Counts tests; a module that did not load and an error outside any test each count as one failed test. */
export class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const totals: TestTotals = { passed: 0, failed: 0, failures: [], skipped: [] }
    for (const error of unhandledErrors) fail(totals, 'outside any test', [error])
    for (const module of modules) count(module, totals)
    const file = process.env['LOGSTACK_TEST_RESULT']
    if (file) writeFileSync(file, JSON.stringify(totals))
  }
}

function count(module: TestModule, totals: TestTotals): void {
  let failedHere = false
  for (const test of module.children.allTests()) {
    const result = test.result()
    if (result.state === 'passed') totals.passed += 1
    else if (result.state === 'skipped' || test.options.mode === 'skip' || test.options.mode === 'todo') {
      const reason = result.state === 'skipped' ? result.note : undefined
      totals.skipped.push({
        name: `${module.relativeModuleId} > ${test.fullName}`,
        reason: reason ?? 'no reason given',
      })
    } else {
      fail(totals, `${module.relativeModuleId} > ${test.fullName}`, result.errors ?? [])
      failedHere = true
    }
  }
  // A worker that died leaves tests pending, and a hook or an import that threw leaves a failed module without a failed test.
  if (!failedHere && !module.ok()) fail(totals, module.relativeModuleId, module.errors())
}

/** Longest part of a message that is repeated at the end, in characters: the whole stands where the test ran. */
const messageLengthMax = 2000

function fail(totals: TestTotals, name: string, errors: readonly { readonly message: string }[]): void {
  totals.failed += 1
  const message = errors.map((error) => error.message).join('\n') || 'did not end'
  totals.failures.push({ name, message: message.slice(0, messageLengthMax) })
}
