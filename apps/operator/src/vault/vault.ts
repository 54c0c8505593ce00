import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError, messageOf, operatorErrors } from '@logstack/errors'
import { generateToken } from '@logstack/passwords'
import { flushFolder, writeFileAtomically } from '../places/write-file.ts'
import { decryptVault, encryptVault } from './ansible-format.ts'
import type { VaultPlaces } from './rekey.ts'
import { finishRekey, prepareRekey } from './rekey.ts'

// Names of secrets begin with a letter or digit, so these are never taken for one.
const stagedPrefix = '.staged-'

/** The store of secrets: one Ansible vault file a secret, named as the secret. Files and key are readable by their owner only. */
export class Vault {
  readonly #places: VaultPlaces
  /** What was decrypted before, by key and sealed text: a password is asked for dozens of times, and each time takes some hundredths of a second. */
  readonly #opened = new Map<string, string>()

  constructor(places: VaultPlaces) {
    this.#places = places
  }

  /** Makes directory and key if they are missing; an existing key is never replaced. */
  create(): void {
    mkdirSync(this.#places.vaultDir, { recursive: true, mode: 0o700 })
    chmodSync(this.#places.vaultDir, 0o700)
    finishRekey(this.#places)
    if (existsSync(this.#places.vaultKeyFile)) return
    mkdirSync(dirname(this.#places.vaultKeyFile), { recursive: true, mode: 0o755 })
    writeFileAtomically(this.#places.vaultKeyFile, `${generateToken()}\n`, 0o600)
  }

  /** The names of the stored secrets, sorted; empty when there is no vault yet. */
  names(): string[] {
    return this.#files().filter((name) => !name.startsWith('.'))
  }

  has(name: string): boolean {
    return existsSync(this.#fileOf(name))
  }

  /** The secret's value; `secret_missing` or `vault_unreadable`, never with a part of the value. */
  read(name: string): string {
    finishRekey(this.#places)
    const file = this.#fileOf(name)
    if (!existsSync(file)) {
      throw new AppError(operatorErrors.secret_missing, `there is no secret [${name}] in ${this.#places.vaultDir}`, {
        fix:
          this.names().length === 0
            ? './logstack up --detach, which makes the secrets'
            : './logstack vault list shows the names there are',
      })
    }
    return this.#decrypt(file)
  }

  /** Stores a secret and reads it back; the file is replaced in one move, and the value is never on disk unencrypted. */
  write(name: string, value: string): void {
    finishRekey(this.#places)
    this.#encrypt(this.#fileOf(name), value)
    if (this.read(name) !== value) throw new Error(`BUG: secret ${name} reads back differently`)
  }

  /** Takes a secret away; nothing happens when there is none. */
  remove(name: string): void {
    finishRekey(this.#places)
    rmSync(this.#fileOf(name), { force: true })
  }

  /** Keeps a value beside the secret, encrypted and on disk, until it is known whether it becomes the secret: a note that outlives a crash. */
  stage(name: string, value: string): void {
    finishRekey(this.#places)
    this.#encrypt(this.#stagedFileOf(name), value)
    if (this.#decrypt(this.#stagedFileOf(name)) !== value) throw new Error(`BUG: ${name} reads back differently`)
  }

  /** The names of values that are kept so. */
  stagedNames(): string[] {
    return this.#files()
      .filter((name) => name.startsWith(stagedPrefix))
      .map((name) => name.slice(stagedPrefix.length))
  }

  readStaged(name: string): string {
    finishRekey(this.#places)
    return this.#decrypt(this.#stagedFileOf(name))
  }

  /** The staged value becomes the secret, in one move. */
  commitStaged(name: string): void {
    renameSync(this.#stagedFileOf(name), this.#fileOf(name))
    flushFolder(this.#places.vaultDir)
  }

  dropStaged(name: string): void {
    rmSync(this.#stagedFileOf(name), { force: true })
  }

  /** Encrypts everything with a new key, which takes the old one's place; answers how many secrets. A crash leaves all of the old or all of the new. */
  rekey(newKey: string = generateToken()): number {
    finishRekey(this.#places)
    const values = new Map(this.#files().map((name) => [name, this.#decrypt(join(this.#places.vaultDir, name))]))
    prepareRekey(this.#places, { values, newKey })
    finishRekey(this.#places)
    for (const [name, value] of values) {
      if (this.#decrypt(join(this.#places.vaultDir, name)) !== value)
        throw new Error(`BUG: ${name} reads back differently`)
    }
    return this.names().length
  }

  // Files that are being written begin with a dot too, and end with a process's number.
  #files(): string[] {
    if (!existsSync(this.#places.vaultDir)) return []
    return readdirSync(this.#places.vaultDir)
      .filter((name) => /^(\.staged-)?[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name))
      .sort()
  }

  #encrypt(file: string, value: string): void {
    writeFileAtomically(file, encryptVault(value, this.#key()), 0o600)
  }

  #decrypt(file: string): string {
    try {
      const [sealed, key] = [readFileSync(file, 'utf8'), this.#key()]
      const before = this.#opened.get(key + sealed)
      if (before !== undefined) return before
      const value = decryptVault(sealed, key)
      this.#opened.set(key + sealed, value)
      return value
    } catch (thrown) {
      throw new AppError(operatorErrors.vault_unreadable, `cannot read the secret ${file}: ${messageOf(thrown)}`, {
        cause: thrown,
        fix: `restore ${file} and its key ${this.#places.vaultKeyFile} from a backup, or delete the file and set the password anew`,
      })
    }
  }

  #stagedFileOf(name: string): string {
    return join(dirname(this.#fileOf(name)), `${stagedPrefix}${name}`)
  }

  #fileOf(name: string): string {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) {
      throw new AppError(operatorErrors.option_invalid, `[${name}] cannot be the name of a secret`, {
        fix: 'use letters, digits, dot, dash and underscore',
      })
    }
    return join(this.#places.vaultDir, name)
  }

  #key(): string {
    return readFileSync(this.#places.vaultKeyFile, 'utf8').trim()
  }
}
