import { allocate } from './allocate.ts'
import type { LifecycleAction } from './define-action.ts'
import { deleteIndex } from './delete.ts'
import { forcemerge } from './forcemerge.ts'
import { freeze, migrate, unfollow } from './nothing-to-do.ts'
import { readonly } from './readonly.ts'
import { rollover } from './rollover.ts'
import { setPriority } from './set-priority.ts'
import { shrink } from './shrink.ts'
import { waitForSnapshot } from './wait-for-snapshot.ts'

const all = [
  setPriority,
  unfollow,
  rollover,
  readonly,
  allocate,
  migrate,
  shrink,
  forcemerge,
  freeze,
  waitForSnapshot,
  deleteIndex,
]

/** The actions of lifecycle policies by name. */
export const actions: ReadonlyMap<string, LifecycleAction> = new Map(all.map((action) => [action.name, action]))
