import { join } from 'node:path'
import type { Paths } from './paths.ts'

/** Where search leaves the passwords that were reset inside it. */
export function handoverDir(paths: Pick<Paths, 'volume'>): string {
  return join(paths.volume('logstack_data_search'), 'handover')
}
