import type { Fault } from './define-fault.ts'

/** Every fault `logstack doctor` knows, causes before what follows from them: this is the order of its lines and of its repairs. */
export const faults: readonly Fault[] = []
