import { type FixPlace, renderFix } from '../telling/render-fix.ts'
import type { FaultOutcome } from './define-fault.ts'
import type { Examined } from './examine.ts'
import type { RepairRecord } from './repair.ts'

const titleWidth = 26
const indent = ' '.repeat(10)

/** One line a check; under a fault its evidence, its meaning and the commands that mend it. */
export function renderExamined({ fault, outcome, follows }: Examined, place: FixPlace): string {
  const title = fault.title.padEnd(titleWidth)
  if (outcome.status === 'healthy') return `ok        ${title} ${outcome.detail}`
  if (outcome.status === 'information') return `note      ${title} ${outcome.detail}`
  if (outcome.status === 'unknown') return `unknown   ${title} ${outcome.why}`
  if (follows !== undefined) return `follows   ${title} ${outcome.problem} (from ${follows})`
  return [`FAULT     ${title} ${outcome.problem}`, ...renderFinding(outcome, place)].join('\n')
}

function renderFinding(finding: Extract<FaultOutcome, { status: 'fault' }>, place: FixPlace): string[] {
  const commands = finding.plan.map((line) => `${indent}  ${renderFix(line, place)}`)
  return [
    ...finding.evidence.map((line) => `${indent}seen: ${line}`),
    `${indent}this means: ${finding.meaning}`,
    ...(commands.length === 0 ? [] : [`${indent}${finding.repair ? 'repair' : 'for you to do'}:`, ...commands]),
  ]
}

/** Whether all is well: everything could be looked at (`complete`), and nothing was found. */
export function endingOf(examined: readonly Examined[]): { readonly ok: boolean; readonly complete: boolean } {
  const complete = examined.every(({ outcome }) => outcome.status !== 'unknown')
  return { ok: complete && examined.every(({ outcome }) => outcome.status !== 'fault'), complete }
}

/** The last line: what there is to do. */
export function renderSummary(examined: readonly Examined[]): string {
  const found = examined.filter(({ outcome, follows }) => outcome.status === 'fault' && follows === undefined)
  const unknown = examined.filter(({ outcome }) => outcome.status === 'unknown').map(({ fault }) => fault.name)
  const unseen = unknown.length === 0 ? '' : `; could not be looked at: ${unknown.join(', ')}`
  const causes = new Set(examined.flatMap(({ follows }) => follows ?? []))
  // With `--only`, what others follow from may not be among those shown.
  const hidden = [...causes].filter((name) => !examined.some(({ fault }) => fault.name === name))
  if (found.length === 0 && hidden.length > 0) return `the cause is not among these: ${hidden.join(', ')}${unseen}`
  if (found.length === 0) return `no fault found${unseen}`
  const names = found.map(({ fault }) => fault.name).join(', ')
  const count = found.length === 1 ? '1 fault' : `${found.length} faults`
  return `${count}: ${names}${unseen}`
}

/** One repair that ended. */
export function renderRepair({ check, end, detail, elapsedMs }: RepairRecord): string {
  const word = end === 'failed' ? 'FAILED' : end
  return `${word.padEnd(9)} ${check} (${(elapsedMs / 1000).toFixed(1)} s): ${detail}`
}

/** A check's result as `--json` gives it. */
export function jsonOfExamined({ fault, outcome, follows, elapsedMs }: Examined): Record<string, unknown> {
  const head = { name: fault.name, title: fault.title, elapsed_ms: Math.round(elapsedMs) }
  if (outcome.status !== 'fault') return { ...head, ...outcome }
  const { status, problem, evidence, meaning, plan, repair } = outcome
  const told = { status: follows === undefined ? status : 'consequence', problem, evidence, meaning, plan }
  return { ...head, ...told, repairable: repair !== undefined, ...(follows === undefined ? {} : { follows }) }
}

/** A repair as `--json` gives it. */
export function jsonOfRepair({ elapsedMs, ...record }: RepairRecord): Record<string, unknown> {
  return { ...record, elapsed_ms: Math.round(elapsedMs) }
}
