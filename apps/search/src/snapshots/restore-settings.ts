import { AppError, searchErrors } from '@logstack/errors'
import { fitsStars } from '@logstack/rules'
import type { RestoreRequest } from './restore-plan.ts'

/** What a restore gives anew, and what says how rows are stored. */
const ownSettings = new Set(['uuid', 'creation_date', 'version.created', 'provided_name'])
const fixedSettings = new Set([
  ...ownSettings,
  'number_of_shards',
  'routing_partition_size',
  'mode',
  'mapping.source.mode',
])

function flat(given: Readonly<Record<string, unknown>>, prefix = ''): [string, unknown][] {
  return Object.entries(given).flatMap(([key, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flat(value as Readonly<Record<string, unknown>>, `${prefix}${key}.`)
      : [[(prefix + key).replace(/^index\./, ''), value]],
  )
}

/** The settings a restored index is made with: its own without those to ignore, and those of the request. Throws `snapshot_restore_exception`. */
export function restoredSettings(
  own: Readonly<Record<string, string>>,
  { indexSettings, ignoreIndexSettings, repository, snapshot }: RestoreRequest,
): Record<string, unknown> {
  const refuse = (what: string, name: string): AppError =>
    new AppError(
      searchErrors.snapshot_restore_exception,
      `[${repository}:${snapshot}] cannot ${what} setting [index.${name}] on restore`,
    )
  const ignored = ignoreIndexSettings.map((name) => name.replace(/^index\./, ''))
  const fixed = ignored.find((name) => fixedSettings.has(name))
  if (fixed !== undefined) throw refuse('remove', fixed)
  const kept = Object.entries(own).filter(
    ([name]) =>
      !ownSettings.has(name) && (fixedSettings.has(name) || !ignored.some((pattern) => fitsStars(name, pattern))),
  )
  const changes = flat(indexSettings)
  const refused = changes.find(([name]) => fixedSettings.has(name))
  if (refused !== undefined) throw refuse('modify', refused[0])
  return { ...Object.fromEntries(kept), ...Object.fromEntries(changes) }
}
