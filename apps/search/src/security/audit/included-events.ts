import { clusterSettings, listMembers } from '../../cluster-settings/read.ts'
import { auditEvents } from '../../model/audit-events.ts'
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
    const chosen = include === undefined ? standard : namesOf(include)
    included = new Set(chosen.filter((name) => !excluded.includes(name)))
    return included
  }
}

/** The events that a list names, in any case of letters; `_all` is every one. */
function namesOf(list = ''): readonly string[] {
  const names = listMembers(list).map((name) => name.toLowerCase())
  return names.includes('_all') ? auditEvents : names
}
