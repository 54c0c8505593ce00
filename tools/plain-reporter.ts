import { writeFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

/** What one run of vitest amounted to; `tools/test.mjs` reads it from the file named by `LOGSTACK_TEST_RESULT` and sums up. */
export interface TestTotals {
  passed: number
  failed: number
  /** Full name and reason of each test that was not run. */
  readonly skipped: { name: string; reason: string }[]
}

/** Counts tests; a module that did not load and an error outside any test each count as one failed test. */
export class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const totals: TestTotals = { passed: 0, failed: unhandledErrors.length, skipped: [] }
    for (const module of modules) count(module, totals)
    const file = process.env['LOGSTACK_TEST_RESULT']
    if (file) writeFileSync(file, JSON.stringify(totals))
  }
}

function count(module: TestModule, totals: TestTotals): void {
  let failedHere = 0
  for (const test of module.children.allTests()) {
    const result = test.result()
    if (result.state === 'passed') totals.passed += 1
    else if (result.state === 'skipped' || test.options.mode === 'skip' || test.options.mode === 'todo') {
      const reason = result.state === 'skipped' ? result.note : undefined
      totals.skipped.push({
        name: `${module.relativeModuleId} > ${test.fullName}`,
        reason: reason ?? 'no reason given',
      })
    } else failedHere += 1
  }
  // A worker that died leaves tests pending, and a hook or an import that threw leaves a failed module without a failed test.
  if (failedHere === 0 && !module.ok()) failedHere = 1
  totals.failed += failedHere
}
