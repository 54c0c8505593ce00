import { hash, verify } from '@node-rs/argon2'
import { isBcryptHash, verifyBcrypt } from './bcrypt.ts'

/** Cost of one argon2id hash (the OWASP minimum: 19 MiB, two passes). Raising it re-hashes nothing; old hashes verify by their own cost. */
export const argon2Cost = { memoryKib: 19_456, passes: 2, lanes: 1, hashBytes: 32 } as const

/** Passwords longer than this are refused before they are hashed, so a request cannot buy work by length. */
export const passwordBytesMax = 1024

/** Hashes a password with argon2id into a PHC string (`$argon2id$v=19$…`) with a random salt. */
export async function hashPassword(password: string): Promise<string> {
  const bytes = Buffer.from(password, 'utf8')
  if (bytes.length > passwordBytesMax) throw new RangeError(`a password has at most ${passwordBytesMax} bytes`)
  return hash(bytes, {
    memoryCost: argon2Cost.memoryKib,
    timeCost: argon2Cost.passes,
    parallelism: argon2Cost.lanes,
    outputLen: argon2Cost.hashBytes,
  })
}

/** Whether the password made the PHC string or bcrypt hash; a text that is neither throws, a too long password is simply wrong. */
export async function verifyPassword(phc: string, password: string): Promise<boolean> {
  const bytes = Buffer.from(password, 'utf8')
  if (bytes.length > passwordBytesMax) return false
  return isBcryptHash(phc) ? verifyBcrypt(phc, password) : verify(phc, bytes)
}
