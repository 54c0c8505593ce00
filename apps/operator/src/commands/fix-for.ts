import type { Command } from 'commander'
import type { Stack } from '../stack.ts'
import { type FixPlace, renderFix } from '../telling/render-fix.ts'
import type { GlobalOptions } from './command.ts'

/** The stack that a command was called for, as fixes name it. */
export function fixPlaceOf(command: Command, { runtime }: Pick<Stack, 'runtime'>): FixPlace {
  return { dataDir: command.optsWithGlobals<GlobalOptions>().data, onHost: runtime.kind === 'podman' }
}

/** A fix for the stack that a command was called for. */
export function fixFor(command: Command, stack: Pick<Stack, 'runtime'>, fix: string): string {
  return renderFix(fix, fixPlaceOf(command, stack))
}
