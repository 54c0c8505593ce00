import { isAppError, messageOf } from '@logstack/errors'
import type { Stack } from '../stack.ts'

/** What a check saw: all right, with the evidence, or a problem with what to do about it. */
export type CheckOutcome =
  | { readonly ok: true; readonly detail: string }
  | { readonly ok: false; readonly problem: string; readonly fix: string }

/** One check: looks and changes nothing. Repairs are the steps'. */
export interface Check {
  /** The file's name, for `--only`, JSON and tests. */
  readonly name: string
  /** What is checked, as a line's beginning. */
  readonly title: string
  diagnose(stack: Stack): Promise<CheckOutcome>
}

/** A check and what it saw. */
export interface CheckResult {
  readonly name: string
  readonly title: string
  readonly outcome: CheckOutcome
}

/** Declares a check. */
export function defineCheck(check: Check): Check {
  return check
}

/** All right, with the evidence. */
export function passed(detail: string): CheckOutcome {
  return { ok: true, detail }
}

/** A problem, and what to do. */
export function failed(problem: string, fix: string): CheckOutcome {
  return { ok: false, problem, fix }
}

/** Runs checks side by side; what a check throws is its problem. */
export function runChecks(checks: readonly Check[], stack: Stack): Promise<CheckResult[]> {
  return Promise.all(
    checks.map(async (check) => ({ name: check.name, title: check.title, outcome: await outcomeOf(check, stack) })),
  )
}

async function outcomeOf(check: Check, stack: Stack): Promise<CheckOutcome> {
  try {
    return await check.diagnose(stack)
  } catch (thrown) {
    return failed(messageOf(thrown), (isAppError(thrown) ? thrown.fix : undefined) ?? './logstack status')
  }
}
