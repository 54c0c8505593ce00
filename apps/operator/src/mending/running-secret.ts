import { isAppError } from '@logstack/errors'
import { loadDefinitions } from '../quadlet/load.ts'
import type { Stack } from '../stack.ts'

const execLimitMs = 30_000

/** A secret's value as a running part was given it when it started; undefined when no running part has it. */
export async function runningSecret(stack: Stack, name: string): Promise<string | undefined> {
  const holders = [...loadDefinitions(stack.paths)].filter(([, definition]) => definition.secrets.includes(name))
  for (const [part] of holders) {
    try {
      const argv = ['sh', '-c', 'cat "$LOGSTACK_SECRETS_DIR/$1"', 'sh', name]
      const { stdout } = await stack.runtime.exec(part, argv, { timeoutMs: execLimitMs })
      if (stdout !== '') return stdout
    } catch (thrown) {
      // A part that does not run, or has no such file, has nothing to give.
      if (!isAppError(thrown)) throw thrown
    }
  }
  return undefined
}
