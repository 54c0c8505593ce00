import { readFile } from 'node:fs/promises'
import type { PolicyStream } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { pause } from '../pause.ts'
import { type Check, type CheckCondition, type CheckFile, checkFileSchema } from './checks/check.ts'
import { look } from './checks/conditions.ts'
import { shippedChecks } from './checks/registry.ts'
import { expandPaths } from './file/expand-paths.ts'
import { type InputContext, type InputType, numberOf, stringList } from './input.ts'
import { StateFile } from './state-file.ts'

const defaultPeriodMs = 3_600_000
const stateSchema = z.record(z.string(), z.object({ result: z.string(), evidence: z.string() }))

/** What a check found out. */
export interface CheckResult {
  readonly result: 'passed' | 'failed' | 'unknown'
  readonly evidence: string
}

/**
 * Configuration checks, every `period_ms`: the shipped sets for this system, and the administrator's own in `files` (patterns of YAML files). A result is
 * reported when it is first known and when it changes.
 */
export const checksInput: InputType = {
  type: 'checks',
  platform: 'linux',
  async run(input, context) {
    await Promise.all(input.streams.map((stream) => follow(stream, context)))
  },
}

async function follow(stream: PolicyStream, context: InputContext): Promise<void> {
  const state = new StateFile(context, stream.id, stateSchema)
  const periodMs = numberOf(stream, 'period_ms', defaultPeriodMs)
  const known = new Map(Object.entries(state.read() ?? {}))
  while (!context.signal.aborted) {
    const { sets, problem } = await readSets(stream)
    const seen = new Set<string>()
    const records = []
    let failed = 0
    for (const { policy, check } of sets) {
      const key = `${policy.policy}/${check.id}`
      const found = await runCheck(check)
      if (found.result !== 'passed') failed += 1
      seen.add(key)
      const before = known.get(key)
      if (before?.result === found.result && before.evidence === found.evidence) continue
      known.set(key, found)
      records.push({ data_stream: stream.data_stream, event: checkEvent(policy, check, found, before?.result) })
    }
    for (const key of known.keys()) if (!seen.has(key)) known.delete(key)
    if (!(await state.append(records, Object.fromEntries(known), context.signal))) return
    if (problem !== undefined) context.report(stream.id, 'DEGRADED', problem)
    else context.report(stream.id, 'HEALTHY', `${seen.size - failed} of ${seen.size} checks passed`)
    await pause(periodMs, context.signal)
  }
}

/** Looks at all checks of a stream now, without reporting anything. */
export async function lookAtChecks(stream: PolicyStream): Promise<{ check: Check; found: CheckResult }[]> {
  const { sets } = await readSets(stream)
  const looked = []
  for (const { check } of sets) looked.push({ check, found: await runCheck(check) })
  return looked
}

async function readSets(
  stream: PolicyStream,
): Promise<{ sets: { policy: CheckFile; check: Check }[]; problem: string | undefined }> {
  const systems = await systemNames()
  const files = [...shippedChecks]
  let problem: string | undefined
  for (const path of stringList(stream, 'files').flatMap(expandPaths)) {
    try {
      files.push(checkFileSchema.parse(parseYaml(await readFile(path, 'utf8'))))
    } catch (thrown) {
      problem = `${path}: ${messageOf(thrown)}`
    }
  }
  const own = files.filter((file) => file.systems.some((system) => systems.includes(system)))
  return { sets: own.flatMap((policy) => policy.checks.map((check) => ({ policy, check }))), problem }
}

/** `ID` and `ID_LIKE` of os-release. */
async function systemNames(): Promise<string[]> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return ['ID', 'ID_LIKE'].flatMap((name) => new RegExp(`^${name}="?([^"\\n]*)`, 'm').exec(text)?.[1]?.split(' ') ?? [])
}

/** Looks at one check. What cannot be looked at is `unknown`, never passed. */
export async function runCheck(check: Check): Promise<CheckResult> {
  try {
    const all = await lookAtEach(check.all ?? [])
    const any = await lookAtEach(check.any ?? [])
    const holds = all.every((finding) => finding.holds) && (any.length === 0 || any.some((finding) => finding.holds))
    const telling = [...all, ...any].filter((finding) => finding.holds === holds)
    return { result: holds ? 'passed' : 'failed', evidence: telling.map(({ evidence }) => evidence).join('; ') }
  } catch (thrown) {
    return { result: 'unknown', evidence: messageOf(thrown) }
  }
}

async function lookAtEach(conditions: readonly CheckCondition[]) {
  const findings = []
  for (const condition of conditions) findings.push(await look(condition))
  return findings
}

function checkEvent(policy: CheckFile, check: Check, found: CheckResult, before: string | undefined) {
  const key = `${policy.policy}/${check.id}`
  return {
    message: `${check.title}: ${found.result}. ${found.evidence}`,
    event: {
      kind: before === undefined ? 'state' : 'event',
      module: 'checks',
      category: ['configuration'],
      type: ['info'],
      action: `check_${found.result}`,
      outcome: found.result === 'passed' ? 'success' : found.result === 'failed' ? 'failure' : 'unknown',
      reason: found.evidence,
    },
    rule: { id: check.id, name: check.title, description: check.why, ruleset: policy.policy },
    logstack: {
      check: { result: found.result, fix: check.fix, before },
      inventory: { kind: 'check', key, present: true },
    },
  }
}
