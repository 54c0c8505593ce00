import { randomBytes } from 'node:crypto'
import { AppError, searchErrors } from '@logstack/errors'
import { fitsStars } from '@logstack/rules'
import type { Collection } from '../indices/store.ts'
import type { Services } from '../services.ts'
import { allowedFolder } from './folders.ts'
import { RepositoryFiles } from './repository-files.ts'

/** A registered repository, as the catalogue keeps it: settings as text. */
export interface Repository {
  readonly type: string
  readonly uuid: string
  readonly settings: Readonly<Record<string, string>>
}

const booleans = new Set(['compress', 'readonly'])
const known = new Set([...booleans, 'location', 'max_number_of_snapshots'])

/** The registered repositories by name. */
export function repositoriesOf({ store }: Pick<Services, 'store'>): Collection<Repository> {
  return store.collection<Repository>('snapshot_repository')
}

/** The error of a repository nothing is called by. */
function repositoryMissing(name: string): AppError {
  return new AppError(searchErrors.repository_missing_exception, `[${name}] missing`)
}

/** The repository of that name. Throws `repository_missing_exception`. */
export function requireRepository(services: Pick<Services, 'store'>, name: string): Repository {
  const found = repositoriesOf(services).get(name)
  if (found === undefined) throw repositoryMissing(name)
  return found
}

/** The repositories that a list of names and patterns finds, by name; all without one. Throws for a name that is none. */
export function findRepositories(
  services: Pick<Services, 'store'>,
  expression: string | undefined,
): (readonly [name: string, repository: Repository])[] {
  const all = [...repositoriesOf(services).entries()].sort(([a], [b]) => (a < b ? -1 : 1))
  const asked = (expression ?? '_all').split(',').map((one) => (one === '_all' ? '*' : one))
  const missing = asked.find((one) => !one.includes('*') && !all.some(([name]) => name === one))
  if (missing !== undefined) throw repositoryMissing(missing)
  return all.filter(([name]) => asked.some((one) => fitsStars(name, one)))
}

/** The files of a registered repository. */
export async function filesOf(
  services: Pick<Services, 'store' | 'repositoryFolders'>,
  name: string,
): Promise<RepositoryFiles> {
  const { settings } = requireRepository(services, name)
  return new RepositoryFiles(name, await allowedFolder(name, settings['location'] ?? '', services.repositoryFolders))
}

/** Whether nothing may be written to it. */
export function isReadOnly({ settings }: Repository): boolean {
  return settings['readonly'] === 'true'
}

/** Throws `repository_exception` for one that is only read. */
export function requireWritable(name: string, repository: Repository): void {
  if (isReadOnly(repository))
    throw new AppError(searchErrors.repository_exception, `[${name}] cannot be written: the repository is readonly`)
}

function checkName(name: string): void {
  const fault = name.includes('#')
    ? "must not contain '#'"
    : /[\\/*?"<>| ,]/.test(name)
      ? String.raw`must not contain the following characters [ , ", *, \, <, |, ,, >, /, ?]`
      : name.startsWith('_')
        ? "must not start with '_'"
        : undefined
  if (fault !== undefined) throw new AppError(searchErrors.repository_exception, `[${name}] ${fault}`)
}

function checkSettings(name: string, settings: Readonly<Record<string, string>>): void {
  const unknown = Object.keys(settings).find((key) => !known.has(key))
  if (unknown !== undefined)
    throw new AppError(
      searchErrors.repository_exception,
      `[${name}] unknown setting [${unknown}] of a repository of type [fs]; there are [${[...known].join(', ')}]`,
    )
  if (settings['location'] === undefined)
    throw new AppError(searchErrors.repository_exception, `[${name}] missing location`)
  for (const key of booleans) {
    const value = settings[key]
    if (value === undefined || value === 'true' || value === 'false') continue
    const reason = `Failed to parse value [${value}] as only [true] or [false] are allowed.`
    throw new AppError(searchErrors.illegal_argument_exception, reason)
  }
  const most = settings['max_number_of_snapshots']
  if (most !== undefined && !/^[1-9]\d{0,6}$/.test(most))
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `Failed to parse value [${most}] for setting [max_number_of_snapshots] must be >= 1`,
    )
}

/** Registers a repository or changes one; with `verify` its folder is written to and read first. Throws `repository_exception`. */
export async function putRepository(
  services: Pick<Services, 'store' | 'repositoryFolders'>,
  name: string,
  given: { readonly type: string; readonly settings: Readonly<Record<string, string>> },
  verify: boolean,
): Promise<void> {
  checkName(name)
  if (given.type !== 'fs')
    throw new AppError(
      searchErrors.repository_exception,
      `[${name}] repository type [${given.type}] does not exist: snapshots are kept in folders, type [fs]`,
    )
  checkSettings(name, given.settings)
  const folder = await allowedFolder(name, given.settings['location'] ?? '', services.repositoryFolders)
  const files = new RepositoryFiles(name, folder)
  if (given.settings['readonly'] !== 'true') {
    await files.prepare()
    if (verify) await files.verify()
  }
  const kept = repositoriesOf(services)
  await services.store.transaction(() => {
    const before = kept.get(name)
    const same = before?.settings['location'] === given.settings['location']
    const uuid = same && before !== undefined ? before.uuid : randomBytes(16).toString('base64url')
    kept.put(name, { type: 'fs', uuid, settings: given.settings })
  })
}
