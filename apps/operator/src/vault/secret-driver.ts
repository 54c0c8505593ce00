import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, operatorErrors } from '@logstack/errors'
import { z } from 'zod'
import type { VaultPlaces } from './rekey.ts'
import { Vault } from './vault.ts'

/** The variable in which the operator tells the name of the secret it makes: podman's shell driver tells only an id. */
export const secretNameVariable = 'LOGSTACK_SECRET_NAME'

/** What the driver works with: the vault, podman's list of secrets, and what podman told. */
export interface SecretDriverPlaces extends VaultPlaces {
  /** podman's `secrets.json`. */
  readonly secretsFile: string
}

/** One call of podman's: the id it gives, the name the operator gave, and the value that comes in. */
export interface SecretDriverCall {
  readonly verb: string
  readonly id: string
  readonly name: string | undefined
  readInput(): string
}

const secretsSchema = z.object({ idToName: z.record(z.string(), z.string()) })

/**
 * Podman's shell driver over the vault; answers what goes to standard output. Never calls podman, which waits for it with its lock held.
 * A secret that is made anew (`name` is given) is not deleted before it is stored: the file gives way only to the new one.
 */
export function runSecretDriver(places: SecretDriverPlaces, call: SecretDriverCall): string {
  const vault = new Vault(places)
  switch (call.verb) {
    case 'list':
      return Object.entries(namesById(places))
        .filter(([, name]) => vault.has(name))
        .map(([id]) => `${id}\n`)
        .join('')
    case 'lookup':
      return vault.read(nameOf(places, call.id))
    case 'store':
      store(vault, call)
      return ''
    case 'delete':
      if (call.name === undefined) rmSync(join(places.vaultDir, nameOf(places, call.id)), { force: true })
      return ''
    default:
      throw new AppError(operatorErrors.option_invalid, `podman asks for [${call.verb}], which is not known`, {
        fix: 'list, lookup, store and delete are',
      })
  }
}

function store(vault: Vault, { name, readInput }: SecretDriverCall): void {
  if (!name) {
    throw new AppError(operatorErrors.option_invalid, `a secret of the vault is not made with podman alone`, {
      fix: 'use logstack password set',
    })
  }
  const value = readInput()
  vault.create()
  if (!vault.has(name) || vault.read(name) !== value) vault.write(name, value)
}

function nameOf(places: SecretDriverPlaces, id: string): string {
  const name = namesById(places)[id]
  if (name !== undefined) return name
  throw new AppError(operatorErrors.secret_missing, `podman has no secret with the id [${id}]`, {
    fix: 'run logstack install again',
  })
}

function namesById({ secretsFile }: SecretDriverPlaces): Record<string, string> {
  return secretsSchema.parse(JSON.parse(readFileSync(secretsFile, 'utf8'))).idToName
}
