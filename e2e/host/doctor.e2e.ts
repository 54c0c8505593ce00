import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { whyNoHost } from './debian-host.ts'
import { type CheckAnswer, type DoctorAnswer, doctor, findingsOf, gaveUp, repair, untilFound } from './doctor-host.ts'
import { type EventSender, startSender } from './event-sender.ts'
import type { Injection } from './faults/define-injection.ts'
import { injectionPairs, injections } from './faults/index.ts'
import { FaultsReport } from './faults-report.ts'
import { bootInstalledHost, type OperatorHost } from './installed-host.ts'

// One installed host, broken and mended again and again. In full: LOGSTACK_DOCTOR_RUNS=10 LOGSTACK_FAULT_ROUNDS=10 LOGSTACK_FAULT_PAIRS=all
// LOGSTACK_FAULTS=all. Unless told, one fault of each kind is injected: each costs half a minute.
const usual = [
  'container-runtime-lock',
  'units-unparsable',
  'environment-file',
  'certificate-expired',
  'parts-down',
  'admin-password',
  'disk-block',
  'replicas',
  'markers',
]
/** The host's own agent says so when a fault, or its injection, took more than a minute. Never causes: those are compared one by one. */
const laterConsequences = ['agent-spool']
const reason = whyNoHost()
const env = process.env
const chosenNames = env['LOGSTACK_FAULTS'] === 'all' ? undefined : (env['LOGSTACK_FAULTS']?.split(',') ?? usual)
const chosen = injections.filter(
  ({ fault, name }) => !chosenNames || chosenNames.some((one) => one === fault || one === name),
)
const runs = Number(env['LOGSTACK_DOCTOR_RUNS'] ?? 2)
const rounds = Number(env['LOGSTACK_FAULT_ROUNDS'] ?? 1)
const pairCount =
  env['LOGSTACK_FAULT_PAIRS'] === 'all' ? injectionPairs.length : Number(env['LOGSTACK_FAULT_PAIRS'] ?? 0)
const report = new FaultsReport(env['LOGSTACK_FAULTS_REPORT'])
let host: OperatorHost
let sender: EventSender
let restoring: readonly Injection[] = []
let boots = 0

beforeAll(async () => {
  if (reason) return
  await bootAndSend()
}, 1_200_000)

afterEach(async ({ task }) => {
  const injected = restoring
  restoring = []
  if (task.result?.state === 'fail') return bootAnew(task.name)
  for (const { restore } of injected) await restore?.(host)
}, 1_200_000)

afterAll(async () => {
  if (reason) return
  await host.down()
}, 120_000)

test.skipIf(reason)('on a healthy host doctor finds nothing', async () => {
  const looksMs: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const startedAtMs = performance.now()
    const answer = await doctor(host)
    looksMs.push(performance.now() - startedAtMs)
    expect(findingsOf(answer), sayAll(answer)).toEqual([])
    // A machine so busy that a look is given up three times is not doctor's fault.
    expect(answer.ok || answer.checks.some(gaveUp), sayAll(answer)).toBe(true)
  }
  report.addHealthy(looksMs)
})

for (const injection of chosen) {
  test.skipIf(reason)(
    `${injection.name}: named alone, mended, nothing lost`,
    async () => {
      for (let round = 0; round < rounds; round += 1) await injectAndMend(injection)
    },
    rounds * 600_000,
  )
}

for (const names of injectionPairs.slice(0, pairCount)) {
  test.skipIf(reason)(`${names.join(' and ')} together: one repair mends both`, async () => {
    const both = names.map((name) => injections.find((one) => one.name === name)).filter((one) => one !== undefined)
    expect(both.length).toBe(2)
    restoring = both
    for (const { inject } of both) await inject(host)
    const startedAtMs = performance.now()
    const mended = await repair(host)
    const repairMs = performance.now() - startedAtMs
    expect(mended.ok, sayAll(mended)).toBe(true)
    await expectGreen()
    report.addPair(names, repairMs)
  })
}

async function bootAndSend(): Promise<void> {
  boots += 1
  host = await bootInstalledHost(`doctor-${boots}`)
  sender = await startSender(host)
}

// What a failure leaves behind must not fail what comes after it: that gets a host of its own.
async function bootAnew(failed: string): Promise<void> {
  const said = await host.shell(
    'podman ps --all; systemctl --failed --no-pager; journalctl --no-pager --lines=80 --output=short-iso',
  )
  process.stderr.write(`the host after [${failed}]:\n${said}\n`)
  await host.down()
  await bootAndSend()
}

async function injectAndMend(injection: Injection): Promise<void> {
  restoring = [injection]
  const allowed = [injection.fault, ...(injection.follows ?? []), ...laterConsequences]
  await injection.inject(host)
  const seen = await untilFound(host, injection.fault, (answer) => {
    for (const finding of findingsOf(answer)) expect(allowed, sayAll(answer)).toContain(finding.name)
  })
  const finding = seen.answer.checks.find(({ name }) => name === injection.fault) as CheckAnswer
  expect([finding.problem, ...(finding.evidence ?? [])].join('\n')).toMatch(injection.evidence)
  const causes = findingsOf(seen.answer).filter(({ status }) => status === 'fault')
  expect(
    causes.map(({ name }) => name),
    sayAll(seen.answer),
  ).toEqual([injection.fault])
  const mended = await repair(host)
  if (injection.isLeft) {
    expect(mended.repairs.find(({ check }) => check === injection.fault)?.end).toMatch(/^(left|failed)$/)
    report.add(injection, finding, { detectMs: seen.elapsedMs, repairMs: undefined })
    await injection.restore?.(host)
  } else {
    expect(mended.ok, sayAll(mended)).toBe(true)
    const told = mended.repairs.find(({ check }) => check === injection.fault)
    expect(told, sayAll(mended)).toMatchObject({ end: 'mended' })
    report.add(injection, finding, { detectMs: seen.elapsedMs, repairMs: told?.elapsed_ms })
  }
  await expectGreen()
}

async function expectGreen(): Promise<void> {
  const verified = JSON.parse(await host.shell('logstack verify --json || true')) as { ok: boolean }
  expect(verified, JSON.stringify(verified)).toMatchObject({ ok: true })
  expect(await sender.lost()).toEqual([])
}

function sayAll({ checks, repairs }: DoctorAnswer): string {
  return JSON.stringify({ checks: checks.filter(({ status }) => status !== 'healthy'), repairs }, undefined, 2)
}
