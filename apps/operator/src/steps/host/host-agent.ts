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
  },
})

async function runs(): Promise<boolean> {
  for (const verb of ['is-enabled', 'is-active']) {
    const argv = ['systemctl', verb, '--quiet', host.agentUnit]
    if ((await runCommand(argv, { timeoutMs: systemctlLimitMs, accept: [1, 3, 4] })).exitCode !== 0) return false
  }
  return true
}
