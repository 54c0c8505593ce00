import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { tempDir } from './temp-dir.ts'

const run = promisify(execFile)
const cache = fileURLToPath(new URL('../../../node_modules/.cache/logstack-testkit', import.meta.url))
const lookLimits = { timeout: 60_000, maxBuffer: 1 << 24 }
const fetchLimits = { timeout: 10 * 60_000, maxBuffer: 1 << 24 }

/** Programs of others that a test runs as they are, in a folder of their own; nothing is installed on the machine. */
export interface FetchedPrograms {
  /** Why they cannot be had here, for the name of a test that is skipped. */
  readonly missing: string | undefined
  /** Fetches them, unless an earlier run did, and says in which folder they are. Throws if that fails though they are in reach. */
  folder(): Promise<string>
}

/** Where programs come from: `find` says why they are out of reach, `fill` puts them into an empty folder. */
interface Source {
  find(): Promise<string | undefined>
  fill(folder: string): Promise<void>
}

/** Packages of npm's registry (`name@1.2.3`), whose scripts are not run; `node_modules/.bin` of the folder has their programs. */
export function fromNpm(packages: readonly string[]): Promise<FetchedPrograms> {
  return prepare('npm', packages, {
    find: () => reach("npm's registry", 'npm', ['view', packages[0] ?? '', 'version', '--fetch-retries=0']),
    async fill(folder) {
      const options = ['--ignore-scripts', '--no-save', '--no-package-lock', '--no-fund', '--no-audit']
      await run('npm', ['install', '--prefix', folder, ...options, ...packages], fetchLimits)
    },
  })
}

/** Packages of Python's index (`name==1.2.3`) for this Python; the folder is what PYTHONPATH shall name, its `bin` has programs. */
export function fromPyPI(python: string, packages: readonly string[]): Promise<FetchedPrograms> {
  const [name = ''] = (packages[0] ?? '').split(/[=[]/u)
  return prepare('pypi', [python, ...packages], {
    async find() {
      const pip = await reach(`pip of ${python}`, python, ['-m', 'pip', '--version'])
      return pip ?? reach("Python's index", python, ['-m', 'pip', 'index', 'versions', name, '--retries', '0'])
    },
    async fill(folder) {
      const options = ['--no-compile', '--quiet', '--disable-pip-version-check', '--root-user-action=ignore']
      await run(python, ['-m', 'pip', 'install', ...options, '--target', folder, ...packages], fetchLimits)
    },
  })
}

/** What a `pom.xml` depends on, from Maven Central, for programs of Java; the folder has the jars. */
export function fromMaven(pom: string): Promise<FetchedPrograms> {
  return prepare('maven', [readFileSync(pom, 'utf8')], {
    async find() {
      const java = await reach('a Java compiler', 'javac', ['-version'])
      const goal = ['dependency:get', '-Dartifact=org.slf4j:slf4j-api:2.0.16:pom', '-Dtransitive=false']
      return java ?? reach('Maven Central', 'mvn', ['-q', '-B', ...goal])
    },
    async fill(folder) {
      await run(
        'mvn',
        ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`],
        fetchLimits,
      )
    },
  })
}

/** Debian's packages with all they need that this machine lacks, unpacked (`usr/bin/…` below the folder): those that conflict with what is installed, too. */
export async function fromDebian(packages: readonly string[]): Promise<FetchedPrograms> {
  const simulation = ['install', '--simulate', '--no-install-recommends', ...packages]
  const plan = await run('apt-get', simulation, lookLimits).catch(() => undefined)
  if (!plan) return unavailable(`apt has no ${packages.join(', ')}`)
  const lacking = [...plan.stdout.matchAll(/^Inst (\S+) (?:\[\S+\] )?\((\S+)/gmu)].map(
    ([, name, version]) => `${name}=${version}`,
  )
  return prepare('debian', lacking.sort(), {
    async find() {
      if (lacking.length === 0) return undefined
      const scratch = tempDir('logstack-apt')
      const missing = await reach(
        "Debian's archive",
        'apt-get',
        ['download', '-q', ...lacking.slice(0, 1)],
        scratch.path,
      )
      scratch.remove()
      return missing
    },
    async fill(folder) {
      if (lacking.length === 0) return
      await run('apt-get', ['download', '-q', ...lacking], { cwd: folder, ...fetchLimits })
      for (const file of readdirSync(folder)) {
        await run('dpkg', ['-x', join(folder, file), folder], lookLimits)
        rmSync(join(folder, file))
      }
    },
  })
}

async function reach(
  what: string,
  command: string,
  args: readonly string[],
  cwd?: string,
): Promise<string | undefined> {
  return await run(command, args, { cwd, ...lookLimits }).then(
    () => undefined,
    () => `${what} is out of reach`,
  )
}

function unavailable(missing: string): FetchedPrograms {
  return { missing, folder: () => Promise.reject(new Error(missing)) }
}

async function prepare(kind: string, packages: readonly string[], source: Source): Promise<FetchedPrograms> {
  const key = createHash('sha256').update(packages.join('\n')).digest('hex').slice(0, 16)
  const folder = join(cache, `${kind}-${key}`)
  const missing = existsSync(folder) ? undefined : await source.find()
  if (missing !== undefined) return unavailable(missing)
  return {
    missing,
    async folder() {
      if (existsSync(folder)) return folder
      const own = `${folder}.${process.pid}`
      mkdirSync(own, { recursive: true })
      try {
        await source.fill(own)
        // Another test file may have been faster.
        if (!existsSync(folder)) renameSync(own, folder)
      } finally {
        rmSync(own, { recursive: true, force: true })
      }
      return folder
    },
  }
}
