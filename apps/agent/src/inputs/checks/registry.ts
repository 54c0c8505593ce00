import type { CheckFile } from './check.ts'
import { debianChecks } from './debian.ts'

/** The sets of checks that an agent brings along. */
export const shippedChecks: readonly CheckFile[] = [debianChecks]
