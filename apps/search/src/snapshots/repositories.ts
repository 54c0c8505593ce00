import { randomBytes } from 'node:crypto'
import { AppError, searchErrors } from '@logstack/errors'
import { fitsStars } from '@logstack/rules'
import type { Services } from '../services.ts'
import type { Collection } from '../store/store.ts'
import { allowedFolder } from './folders.ts'
import { RepositoryFiles } from './repository-files.ts'
import { bucketStorage } from './storage/bucket.ts'
import { folderStorage } from './storage/folder.ts'
import type { RepositoryStorage } from './storage/storage.ts'

/** A registered repository, as the catalogue keeps it: settings as text. */
export interface Repository {
  readonly type: string
  readonly uuid: string
  readonly settings: Readonly<Record<string, string>>
}

/** The services that say where repositories may be. */
type Places = Pick<Services, 'store' | 'repositoryFolders' | 's3'>

const booleans = new Set(['compress', 'readonly'])
const ofAll = [...booleans, 'max_number_of_snapshots']

/** The settings of each type; the first must be given. */
const settingsOf: Readonly<Record<string, readonly string[]>> = {
  fs: ['location', ...ofAll],
  s3: ['bucket', 'base_path', 'client', ...ofAll],
}

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
export async function filesOf(services: Places, name: string): Promise<RepositoryFiles> {
  return new RepositoryFiles(name, await storageOf(services, name, requireRepository(services, name)))
}

async function storageOf(
  { repositoryFolders, s3 }: Places,
  name: string,
  { type, settings }: Pick<Repository, 'type' | 'settings'>,
): Promise<RepositoryStorage> {
  if (type === 'fs') return folderStorage(await allowedFolder(name, settings['location'] ?? '', repositoryFolders))
  if (s3) return bucketStorage(s3, { bucket: settings['bucket'] ?? '', basePath: settings['base_path'] ?? '' })
  throw new AppError(
    searchErrors.repository_exception,
    `[${name}] no store is named for repositories of type [s3]: set [s3.client.default.endpoint] in search.yml`,
  )
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

function checkSettings(name: string, type: string, settings: Readonly<Record<string, string>>): void {
  const fault = (reason: string) => new AppError(searchErrors.repository_exception, `[${name}] ${reason}`)
  const known = Object.hasOwn(settingsOf, type) ? settingsOf[type] : undefined
  if (!known)
    throw fault(`repository type [${type}] does not exist: snapshots are kept in folders [fs] and in buckets [s3]`)
  const unknown = Object.keys(settings).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw fault(`unknown setting [${unknown}] of a repository of type [${type}]; there are [${known.join(', ')}]`)
  const [needed = ''] = known
  if (settings[needed] === undefined) throw fault(`missing ${needed}`)
  if (type === 's3') checkBucket(settings, fault)
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

/** Where a bucket is and what opens it says the configuration, so that nobody has search ask another place. */
function checkBucket(settings: Readonly<Record<string, string>>, fault: (reason: string) => AppError): void {
  const { bucket = '', base_path: basePath = '', client = 'default' } = settings
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/u.test(bucket)) throw fault(`[${bucket}] is no name of a bucket`)
  if (client !== 'default') throw fault(`there is no client [${client}], only [default]`)
  if (basePath.split('/').some((part) => part === '.' || part === '..'))
    throw fault(`base_path [${basePath}] is no path`)
}

/** Registers a repository or changes one; with `verify` its place is written to and read first. Throws `repository_exception`. */
export async function putRepository(
  services: Places,
  name: string,
  given: { readonly type: string; readonly settings: Readonly<Record<string, string>> },
  verify: boolean,
): Promise<void> {
  const { type, settings } = given
  checkName(name)
  checkSettings(name, type, settings)
  const files = new RepositoryFiles(name, await storageOf(services, name, given))
  if (settings['readonly'] !== 'true') {
    await files.prepare()
    if (verify) await files.verify()
  }
  const kept = repositoriesOf(services)
  const placeOf = (at: Readonly<Record<string, string>>) =>
    JSON.stringify(['location', 'bucket', 'base_path'].map((key) => at[key]))
  await services.store.transaction(() => {
    const before = kept.get(name)
    const same = before?.type === type && placeOf(before.settings) === placeOf(settings)
    kept.put(name, { type, uuid: same ? before.uuid : randomBytes(16).toString('base64url'), settings })
  })
}
