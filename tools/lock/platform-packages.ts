/** What npm's lock file holds, as far as it matters here. */
export interface LockFile {
  packages: Record<string, LockEntry>
}

interface LockEntry {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  optionalDependencies?: Record<string, string>
}

/** An optional package that another names and the lock file does not have. */
export interface MissingPackage {
  readonly name: string
  readonly version: string
  readonly dev: boolean
}

/** The optional packages that are named in a lock file and not in it: npm leaves them out when its registry does not have them. */
export function missingOptional(lock: LockFile): MissingPackage[] {
  return Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {}, dev = false }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isReachable(lock, path, name))
      .map(([name, version]) => ({ name, version, dev })),
  )
}

/** The lock file with an entry for each missing package, which `npm ci` takes as one that is for another platform. */
export function completed(lock: LockFile): LockFile {
  const added = missingOptional(lock).map((missing): [string, LockEntry] => [
    `node_modules/${missing.name}`,
    entryOf(missing),
  ])
  const all = [...Object.entries(lock.packages), ...added]
  return { ...lock, packages: Object.fromEntries(all.sort(([left], [right]) => left.localeCompare(right, 'en'))) }
}

// Node's own rule: the package is in a node_modules of the one that asks for it or of a folder above.
function isReachable(lock: LockFile, path: string, name: string): boolean {
  let above = path
  for (;;) {
    if (lock.packages[`${above === '' ? '' : `${above}/`}node_modules/${name}`]) return true
    if (above === '') return false
    above = above.slice(0, Math.max(0, above.lastIndexOf('/node_modules/')))
  }
}

function entryOf({ name, version, dev }: MissingPackage): LockEntry {
  const [, os, cpu] = /(android|darwin|freebsd|linux|openharmony|win32)-([a-z0-9]+)/.exec(name) ?? []
  if (!os || !cpu) throw new Error(`cannot tell the platform of ${name}`)
  return { version, cpu: [cpu], ...(dev ? { dev } : {}), optional: true, os: [os] }
}
