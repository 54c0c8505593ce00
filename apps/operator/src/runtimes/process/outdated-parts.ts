import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { PartName } from '@logstack/contracts'
import type { PartStatus } from '../runtime.ts'

/** The parts that run of a program from before the one that lies in `dist` now, as after a build. */
export function outdatedParts(
  statuses: readonly Pick<PartStatus, 'part' | 'startedAtMs'>[],
  programDir: string,
): readonly PartName[] {
  return statuses.flatMap(({ part, startedAtMs }) => {
    const built = statSync(join(programDir, 'dist', `${part}.mjs`), { throwIfNoEntry: false })
    return startedAtMs !== undefined && built !== undefined && built.mtimeMs > startedAtMs ? [part] : []
  })
}
