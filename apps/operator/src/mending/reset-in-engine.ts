import { serviceAccounts } from '@logstack/contracts'
import type { Stack } from '../stack.ts'
import type { StepProgress } from '../steps/define-step.ts'
import { unproven } from '../steps/unproven.ts'
import { restartParts } from './restart-parts.ts'

const resetLimitMs = 30_000

/** The command that sets a random password inside the engine, without knowing the old one. */
export function resetArgv(username: string): string[] {
  return ['elasticsearch-reset-password', '-u', username, '--batch']
}

/** Resets a user's password inside the engine, stores it, reads it back, and restarts the part that logs in with it. */
export async function resetInEngine(stack: Stack, username: string, progress: StepProgress): Promise<void> {
  progress.waiting(`reset of [${username}] in search`)
  const { stdout } = await stack.runtime.exec('search', resetArgv(username), { timeoutMs: resetLimitMs })
  const password = newPasswordIn(stdout)
  if (password === undefined) throw unproven(`search did not say the new password of [${username}]`)
  stack.vault.write(username, password)
  stack.clients.close()
  const part = serviceAccounts.find((account) => account.username === username)?.part
  if (part) await restartParts(stack, [part], progress)
}

/** The password in what the command prints; undefined when there is none. */
export function newPasswordIn(output: string): string | undefined {
  return /^New value: (.+)$/m.exec(output)?.[1]
}
