import type { Stack } from '../../stack.ts'

/** A look before anything is started: throws an error with one sentence and its fix when a start cannot succeed. */
export type Preflight = (stack: Stack) => Promise<void>
