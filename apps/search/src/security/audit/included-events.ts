import { clusterSettings } from '../../plan/cluster-limits.ts'
import type { Services } from '../../services.ts'

const setting = 'xpack.security.audit.logfile.events.'

/** The events that are written: those of the settings file, unless the cluster's settings include or exclude others. */
export function includedEvents(
  catalogue: Pick<Services['catalogue'], 'collection'>,
  standard: readonly string[],
): () => ReadonlySet<string> {
  let key: string | undefined
  let included: ReadonlySet<string> = new Set(standard)
  return () => {
    const { [`${setting}include`]: include, [`${setting}exclude`]: exclude } = clusterSettings(catalogue)
    const now = `${include} ${exclude}`
    if (now === key) return included
    key = now
    const excluded = namesOf(exclude)
    included = new Set((include === undefined ? standard : namesOf(include)).filter((name) => !excluded.includes(name)))
    return included
  }
}

function namesOf(list: string | undefined): string[] {
  return list === undefined || list === '' ? [] : list.split(',').map((name) => name.trim())
}
