import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { testCertificates } from './certificates.ts'
import { freePort } from './free-port.ts'
import { tempDir } from './temp-dir.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const readyTimeMsMax = 60_000
const pollMs = 20

/** A real search in a process of its own, on a temporary folder and a free port of 127.0.0.1. */
export interface TestSearch {
  /** `https://127.0.0.1:port` */
  readonly url: string
  /** PEM of the authority that signed its certificate. */
  readonly ca: string
  readonly username: string
  readonly password: string
  readonly dataDir: string
  /** What search logged until now and how it ended, and its process id. */
  log(): string
  pid(): number
  /** Ends the process as a crash does, and waits until it is gone. The data stays. */
  kill(): Promise<void>
  /** Ends the process in order, and waits until it is gone. The data stays. */
  end(): Promise<void>
  /** Starts again on the same data and port, after `kill` or `end` or while it runs. */
  restart(): Promise<void>
  /** Stops in order and removes the folder; `dataDir` that was given stays. */
  stop(): Promise<void>
}

/** What differs from a search on an empty folder of its own. */
export interface TestSearchOptions {
  /** Adds to its environment (`ES_JAVA_OPTS`, settings by name). */
  readonly env?: Readonly<Record<string, string>>
  /** Its data lie on a file system of that size, which only it sees (others through `/proc/PID/root`) and which goes with it; needs root and `unshare`. */
  readonly diskBytes?: number
  /** Its data lie there, and stay. */
  readonly dataDir?: string
}

/** Starts a search and waits until it is ready. */
export async function startSearch(options: TestSearchOptions = {}): Promise<TestSearch> {
  const [bundle, certificates, port] = await Promise.all([bundleSearch(), testCertificates(), freePort()])
  const folder = tempDir('logstack-search')
  const password = 'test-password-of-elastic'
  const dataDir = options.dataDir ?? join(folder.path, 'data')
  const secretsDir = join(folder.path, 'secrets')
  const readyFile = join(folder.path, 'ready')
  for (const made of [dataDir, secretsDir]) mkdirSync(made, { recursive: true, mode: 0o700 })
  writeFileSync(join(secretsDir, 'elastic'), `${password}\n`, { mode: 0o600 })
  const env = {
    PATH: process.env['PATH'],
    HOME: folder.path,
    UV_THREADPOOL_SIZE: '16',
    ES_JAVA_OPTS: '-Xmx2g',
    LOGSTACK_LISTEN: `127.0.0.1:${port}`,
    LOGSTACK_DATA_DIR: dataDir,
    LOGSTACK_CERTS_DIR: certificates.dir,
    LOGSTACK_SECRETS_DIR: secretsDir,
    LOGSTACK_READY_FILE: readyFile,
    LOGSTACK_LOG_LEVEL: 'info',
    ...options.env,
  }
  const argv = [process.execPath, bundle]
  const mount = 'mount -t tmpfs -o size="$1" tmpfs "$2" && shift 2 && exec "$@"'
  const { diskBytes } = options
  const command =
    diskBytes === undefined ? argv : ['unshare', '-m', 'sh', '-c', mount, 'sh', String(diskBytes), dataDir, ...argv]
  const running = new RunningSearch(command, env, readyFile)
  await running.start()
  return {
    url: `https://127.0.0.1:${port}`,
    ca: certificates.ca,
    username: 'elastic',
    password,
    dataDir,
    log: () => running.log,
    pid: () => running.pid,
    kill: () => running.end('SIGKILL'),
    end: () => running.end('SIGTERM'),
    async restart() {
      await running.end('SIGTERM')
      await running.start()
    },
    async stop() {
      await running.end('SIGTERM')
      folder.remove()
    },
  }
}

class RunningSearch {
  readonly #command: readonly string[]
  readonly #env: NodeJS.ProcessEnv
  readonly #readyFile: string
  #child: ChildProcess | undefined
  #log = ''

  constructor(command: readonly string[], env: NodeJS.ProcessEnv, readyFile: string) {
    this.#command = command
    this.#env = env
    this.#readyFile = readyFile
    // A test that is ended must leave no search behind.
    process.once('exit', () => this.#child?.kill('SIGKILL'))
  }

  get log(): string {
    return this.#log
  }

  get pid(): number {
    return this.#child?.pid ?? -1
  }

  async start(): Promise<void> {
    const [program = '', ...argv] = this.#command
    const child = spawn(program, argv, { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#log += chunk.toString('utf8')
      })
    }
    child.once('exit', (code, signal) => {
      this.#log += `search ended: ${signal ?? code}\n`
    })
    const deadline = Date.now() + readyTimeMsMax
    while (!existsSync(this.#readyFile)) {
      if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
        throw new Error(`search did not become ready:\n${this.#log.slice(-4000)}`)
      }
      await sleep(pollMs)
    }
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill(signal)
    await ended
    if (signal === 'SIGKILL') removeIfThere(this.#readyFile)
  }
}

function removeIfThere(file: string): void {
  if (existsSync(file)) renameSync(file, `${file}.old`)
}

/** The bundle of search, made again whenever a source is newer than the last one. */
async function bundleSearch(): Promise<string> {
  const packages = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name, 'src'))
  const newest = Math.max(...[join(root, 'apps/search/src'), ...packages].map(newestMs))
  const directory = join(root, 'node_modules/.cache/logstack-testkit')
  const file = join(directory, `search-${Math.floor(newest)}.mjs`)
  if (existsSync(file)) return file
  mkdirSync(directory, { recursive: true })
  const own = `${file}.${process.pid}`
  await build({
    entryPoints: [join(root, 'apps/search/src/main.ts')],
    outfile: own,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external: ['chdb', 'lmdb', '@node-rs/argon2'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
    logLevel: 'error',
  })
  renameSync(own, file)
  return file
}

function newestMs(directory: string): number {
  if (!existsSync(directory)) return 0
  const times = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => statSync(join(directory, name)).mtimeMs)
  return Math.max(0, ...times)
}
