import { errorKinds, operatorErrors } from '@logstack/errors'
import type { Command } from 'commander'
import { type CheckResult, runChecks } from '../checks/define-check.ts'
import { verifyChecks } from '../checks/index.ts'
import { type FixPlace, renderFix } from '../telling/render-fix.ts'
import { type RegisterCommand, stackOf } from './command.ts'
import { fixPlaceOf } from './fix-for.ts'
import { requireSetUp } from './require-set-up.ts'

/** `logstack verify`: proves the post-install state, a line a check; exit code 0 only when every line is ok. */
export const registerVerify: RegisterCommand = (program, context) => {
  program
    .command('verify')
    .description('prove that the installation is whole and works; exit code 0 when every line is ok')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  logstack verify\n  logstack verify --json')
    .action(async (options: { json?: boolean }, command: Command) => {
      const stack = stackOf(command, context)
      requireSetUp(stack.paths.root)
      const place = fixPlaceOf(command, stack)
      const results = await runChecks(verifyChecks, stack)
      stack.clients.close()
      const ok = results.every((result) => result.outcome.ok)
      if (options.json) context.say(JSON.stringify({ ok, checks: results.map(jsonOf) }, undefined, 2))
      else for (const result of results) context.say(renderResult(result, place))
      if (!ok) process.exitCode = errorKinds[operatorErrors.verify_failed.kind].exitCode
    })
}

const titleWidth = 22

/** One line for people: ok with its evidence, or what failed and, under it, what to do. */
export function renderResult({ title, outcome }: CheckResult, place: FixPlace = {}): string {
  if (outcome.ok) return `ok      ${title.padEnd(titleWidth)} ${outcome.detail}`
  return `FAILED  ${title.padEnd(titleWidth)} ${outcome.problem}\n${' '.repeat(9 + titleWidth)}fix: ${renderFix(outcome.fix, place)}`
}

function jsonOf({ name, outcome }: CheckResult): Record<string, unknown> {
  return { name, ...outcome }
}
