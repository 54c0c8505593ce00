import { statSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '@logstack/process'
import { host } from '../../places/host.ts'
import { unproven } from '../../telling/unproven.ts'
import { defineStep, findingOf } from '../define-step.ts'
import { enrol, isEnrolled } from '../enrol-agent.ts'

const systemctlLimitMs = 60_000

const place = { data: host.agentDataDir, program: join(host.programDir, 'dist', 'agent.mjs') }

/** Enrols this host with its own stack, and keeps its agent running under systemd. */
export const hostAgent = defineStep({
  name: 'host-agent',
  title: "this host's agent",
  async diagnose(stack) {
    const plan: string[] = []
    if (!isEnrolled(stack, place.data)) plan.push(`enrol this host with ${stack.clients.agentServerUrl}`)
    if (!(await runs())) plan.push(`systemctl enable --now ${host.agentUnit}`)
    else if (await isOutdated()) plan.push(`systemctl restart ${host.agentUnit}   # it runs the program of before`)
    return findingOf(plan)
  },
  async apply(stack) {
    if (!isEnrolled(stack, place.data)) await enrol(stack, place)
    await runCommand(['systemctl', 'enable', host.agentUnit], { timeoutMs: systemctlLimitMs })
    await runCommand(['systemctl', 'restart', host.agentUnit], { timeoutMs: systemctlLimitMs })
  },
  async prove(stack) {
    if (!isEnrolled(stack, place.data)) throw unproven('this host is not enrolled')
    if (!(await runs())) throw unproven(`${host.agentUnit} does not run`, `journalctl -u ${host.agentUnit}`)
    if (await isOutdated())
      throw unproven(`${host.agentUnit} runs a program of before`, `systemctl restart ${host.agentUnit}`)
  },
})

// An upgrade replaces the program under the agent that runs.
async function isOutdated(): Promise<boolean> {
  const argv = ['systemctl', 'show', '--timestamp=unix', '--property=ExecMainStartTimestamp', host.agentUnit]
  const { stdout } = await runCommand(argv, { timeoutMs: systemctlLimitMs })
  const startedAt = startOf(stdout)
  return startedAt !== undefined && statSync(place.program).mtimeMs > startedAt.latestMs
}

/** When a unit's process started, to the second, from systemd's words; undefined for one that never did. */
function startOf(shown: string): { readonly latestMs: number } | undefined {
  const seconds = /^ExecMainStartTimestamp=@(\d+)$/m.exec(shown)?.[1]
  return seconds === undefined || seconds === '0' ? undefined : { latestMs: (Number(seconds) + 1) * 1_000 }
}

async function runs(): Promise<boolean> {
  for (const verb of ['is-enabled', 'is-active']) {
    const argv = ['systemctl', verb, '--quiet', host.agentUnit]
    if ((await runCommand(argv, { timeoutMs: systemctlLimitMs, accept: [1, 3, 4] })).exitCode !== 0) return false
  }
  return true
}
