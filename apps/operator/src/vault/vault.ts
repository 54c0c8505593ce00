import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError, messageOf, operatorErrors } from '@logstack/errors'
import { generateToken } from '@logstack/passwords'
import { writeFileAtomically } from '../places/write-file.ts'
import { decryptVault, encryptVault } from './ansible-format.ts'

/** Where a vault lies: a directory with one encrypted file a secret, and the file that holds the key. */
export interface VaultPlaces {
  readonly vaultDir: string
  readonly vaultKeyFile: string
}

/** The store of secrets: one Ansible vault file a secret, named as the secret. Files and key are readable by their owner only. */
export class Vault {
  readonly #places: VaultPlaces

  constructor(places: VaultPlaces) {
    this.#places = places
  }

  /** Makes directory and key if they are missing; an existing key is never replaced. */
  create(): void {
    mkdirSync(this.#places.vaultDir, { recursive: true, mode: 0o700 })
    chmodSync(this.#places.vaultDir, 0o700)
    if (existsSync(this.#places.vaultKeyFile)) return
    mkdirSync(dirname(this.#places.vaultKeyFile), { recursive: true, mode: 0o755 })
    writeFileAtomically(this.#places.vaultKeyFile, `${generateToken()}\n`, 0o600)
  }

  /** The names of the stored secrets, sorted; empty when there is no vault yet. */
  names(): string[] {
    if (!existsSync(this.#places.vaultDir)) return []
    return readdirSync(this.#places.vaultDir)
      .filter((name) => !name.startsWith('.'))
      .sort()
  }

  has(name: string): boolean {
    return existsSync(this.#fileOf(name))
  }

  /** The secret's value; `secret_missing` or `vault_unreadable`, never with a part of the value. */
  read(name: string): string {
    const file = this.#fileOf(name)
    if (!existsSync(file)) {
      throw new AppError(operatorErrors.secret_missing, `there is no secret [${name}] in ${this.#places.vaultDir}`, {
        fix:
          this.names().length === 0
            ? './logstack up --detach, which makes the secrets'
            : './logstack vault list shows the names there are',
      })
    }
    try {
      return decryptVault(readFileSync(file, 'utf8'), this.#key())
    } catch (thrown) {
      throw new AppError(operatorErrors.vault_unreadable, `cannot read the secret ${file}: ${messageOf(thrown)}`, {
        cause: thrown,
        fix: `restore ${file} and its key ${this.#places.vaultKeyFile} from a backup, or delete the file and set the password anew`,
      })
    }
  }

  /** Stores a secret and reads it back; the file is replaced in one move, and the value is never on disk unencrypted. */
  write(name: string, value: string): void {
    writeFileAtomically(this.#fileOf(name), encryptVault(value, this.#key()), 0o600)
    if (this.read(name) !== value) throw new Error(`BUG: secret ${name} reads back differently`)
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
