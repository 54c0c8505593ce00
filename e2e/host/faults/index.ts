import { containerRuntimeLock } from './container-runtime-lock.ts'
import type { Injection } from './define-injection.ts'
import { markerFalse, markerMissing } from './markers.ts'

/** Every injection, in the order of the registry of faults. */
export const injections: readonly Injection[] = [containerRuntimeLock, markerMissing, markerFalse]

/** Pairs of injections (by name) that can exist together, for one `doctor --repair`; the first runs in CI. */
export const injectionPairs: readonly (readonly [string, string])[] = []
