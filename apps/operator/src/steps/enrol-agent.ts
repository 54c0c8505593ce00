import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '@logstack/process'
import { z } from 'zod'
import { agentName } from '../places/process-names.ts'
import { jsonOrNothing } from '../places/read-json-file.ts'
import { agentDataDir, agentProgram } from '../runtimes/process/agent-spec.ts'
import type { EmbeddedStack, Stack } from '../stack.ts'
import { unproven } from '../telling/unproven.ts'
import { defineStep, findingOf } from './define-step.ts'

const commandTimeoutMs = 60_000

const identitySchema = z.object({ url: z.string() })

/** Enrols this machine with the built-in agent, and keeps the agent running beside the parts. */
export const enrolAgent = defineStep<EmbeddedStack>({
  name: 'enrol-agent',
  title: "this machine's agent",
  needs: ['agent-server'],
  async diagnose(stack) {
    const plan: string[] = []
    if (!isEnrolled(stack, agentDataDir(stack.paths))) plan.push('enrol this machine with agent-server')
    if (!(await isAgentUp(stack))) plan.push(`start ${agentName}`)
    return findingOf(plan)
  },
  async apply(stack) {
    const data = agentDataDir(stack.paths)
    if (!isEnrolled(stack, data)) await enrol(stack, { data, program: agentProgram(stack.paths) })
    await stack.runtime.startNamed(agentName)
  },
  async prove(stack) {
    if (!isEnrolled(stack, agentDataDir(stack.paths))) throw unproven('this machine is not enrolled')
    if (!(await isAgentUp(stack))) throw unproven('the agent of this machine does not run')
  },
})

async function isAgentUp(stack: EmbeddedStack): Promise<boolean> {
  const children = await stack.runtime.children()
  return children.some((child) => child.name === agentName && child.phase === 'up')
}

/**
 * Whether the agent in a data folder is enrolled with this stack. Read from the file the agent keeps: asking its program would cost a start
 * of node each time. An agent that was enrolled at another address (another port offset) would talk to nobody.
 */
export function isEnrolled(stack: Stack, data: string): boolean {
  const file = join(data, 'identity.json')
  if (!existsSync(file)) return false
  const identity = identitySchema.safeParse(jsonOrNothing(readFileSync(file, 'utf8')))
  return identity.success && identity.data.url === stack.clients.agentServerUrl
}

/** Enrols the agent in a data folder with this stack, under a token made for it. */
export async function enrol(stack: Stack, at: { readonly data: string; readonly program: string }): Promise<void> {
  const created = await stack.clients.agentServer().request<{ item: { api_key: string } }>({
    method: 'POST',
    path: '/api/fleet/enrollment_api_keys',
    body: { name: 'the machine logstack runs on' },
  })
  const argv = [process.execPath, at.program, 'enroll', '--force', '--data', at.data]
  argv.push('--url', stack.clients.agentServerUrl, '--ca', stack.paths.caFile, '--token-file', '-')
  await runCommand(argv, { timeoutMs: commandTimeoutMs, input: created.body.item.api_key })
}
