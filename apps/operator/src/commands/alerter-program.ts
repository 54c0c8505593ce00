import { join } from 'node:path'
import { isEmbedded, type Stack } from '../stack.ts'

/** The alerter's own program with one of its commands, for `runtime.exec`: JSON in, JSON out. */
export function alerterArgv(stack: Stack, command: 'check-rules' | 'try-rule' | 'send-test'): string[] {
  if (isEmbedded(stack)) return [process.execPath, join(stack.paths.programDir, 'dist', 'alerter.mjs'), command]
  return ['node', '/usr/lib/logstack/alerter.mjs', command]
}
