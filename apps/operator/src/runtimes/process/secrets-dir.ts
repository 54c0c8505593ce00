import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads a secret by name. */
export type ReadSecret = (name: string) => string

/** Secrets as files in memory: one directory a part, readable by the owner only, gone when the stack stops. */
export class SecretsDir {
  readonly #read: ReadSecret
  readonly #fallback: string
  #root: string | undefined

  /** `fallback` is used where no file system in memory can be written. */
  constructor(read: ReadSecret, fallback: string) {
    this.#read = read
    this.#fallback = fallback
  }

  /** The directory of a part; made at the first call. Its path changes when the system cleared the memory in the meantime. */
  dirOf(name: string): string {
    if (this.#root === undefined || !existsSync(this.#root)) this.#root = this.#makeRoot()
    return join(this.#root, name)
  }

  /** Writes the secrets of a part anew and returns its directory. */
  write(name: string, secrets: readonly string[]): string {
    const dir = this.dirOf(name)
    rmSync(dir, { recursive: true, force: true })
    mkdirSync(dir, { mode: 0o700 })
    for (const secret of secrets) writeFileSync(join(dir, secret), this.#read(secret), { mode: 0o600 })
    return dir
  }

  remove(): void {
    if (this.#root) rmSync(this.#root, { recursive: true, force: true })
  }

  get root(): string | undefined {
    return this.#root
  }

  #makeRoot(): string {
    const base = ['/dev/shm', process.env['XDG_RUNTIME_DIR']].find(writableDir) ?? this.#fallback
    mkdirSync(base, { recursive: true })
    // mkdtemp makes a name nobody could prepare, readable by its owner only.
    return mkdtempSync(join(base, 'logstack-'))
  }
}

function writableDir(path: string | undefined): path is string {
  if (!path) return false
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code) return false
    throw thrown
  }
}
