import type { Role } from './role.ts'

/** A user as stored. The password only as an argon2id PHC string. */
export interface UserRecord {
  readonly username: string
  readonly passwordHash: string
  readonly roles: readonly string[]
  readonly fullName?: string | undefined
  readonly email?: string | undefined
  readonly metadata: Readonly<Record<string, unknown>>
  readonly enabled: boolean
  readonly reserved: boolean
}

/** A pair of tokens as stored, under the hash of the access token. */
export interface TokenRecord {
  readonly username: string
  readonly refreshHash: string
  readonly expiresAtMs: number
  readonly refreshExpiresAtMs: number
}

/** An API key as stored, under its id. The key is 128 random bits, so a plain hash keeps it. */
export interface ApiKeyRecord {
  readonly id: string
  readonly name: string
  readonly keyHash: string
  readonly createdAtMs: number
  readonly expiresAtMs: number | undefined
  readonly invalidated: boolean
  readonly invalidatedAtMs?: number | undefined
  readonly username: string
  /** The key that made this one, by its id. */
  readonly madeBy?: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly roles: Readonly<Record<string, Role>>
  /** What the owner's roles granted when the key was made, by their names: the key's ceiling. Keys of before have a list of them. */
  readonly limitedBy: Readonly<Record<string, Role>> | readonly Role[]
}
