import type { AlertingRule, Rule } from '../rule-files/rule.ts'
import { windowTypes } from '../rule-types/registry.ts'
import { EventRun } from './event-run.ts'
import type { Run, RunSurroundings } from './run.ts'
import { WindowRun } from './window-run.ts'

/** Something the scheduler runs: a rule, or rules that read together. */
export interface Work {
  readonly id: string
  /** Index patterns joined by commas. */
  readonly index: string
  /** Changes when it must start over from its written state. */
  readonly revision: string
  /** The rules whose alerts it makes. */
  readonly rules: readonly AlertingRule[]
  resume(from: RunSurroundings): Promise<Run>
}

/** The work of one rule of ElastAlert's form. */
export function workOfRule(rule: Rule): Work {
  const { id, index, revision } = rule
  const isWindow = windowTypes.has(rule.typeName)
  return {
    id,
    index,
    revision,
    rules: [rule],
    resume: (from) => (isWindow ? WindowRun.resume(rule, from) : EventRun.resume(rule, from)),
  }
}
