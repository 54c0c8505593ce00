import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** A session as it is kept between two runs of the dashboard. Only the cookie's owner can open it. */
export interface SealedSession {
  /** SHA-256 of the session's id, in hex: finds the session and gives nothing away. */
  readonly hash: string
  /** AES-256-GCM, base64: nonce, tag, ciphertext. Its key comes from the id. */
  readonly sealed: string
  readonly lastSeenMs: number
  readonly expiresAtMs: number
}

const nonceBytes = 12
const tagBytes = 16
const cipher = 'aes-256-gcm'

/** The name under which a session is kept. */
export function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}

/** Seals a JSON value with the id of its session. */
export function seal(id: string, value: unknown): string {
  const nonce = randomBytes(nonceBytes)
  const machine = createCipheriv(cipher, keyOf(id), nonce)
  const ciphertext = Buffer.concat([machine.update(JSON.stringify(value), 'utf8'), machine.final()])
  return Buffer.concat([nonce, machine.getAuthTag(), ciphertext]).toString('base64')
}

/** The inverse of `seal`; throws for another id and for bytes that were changed. */
export function unseal(id: string, sealed: string): unknown {
  const bytes = Buffer.from(sealed, 'base64')
  const machine = createDecipheriv(cipher, keyOf(id), bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  machine.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const text = Buffer.concat([machine.update(bytes.subarray(nonceBytes + tagBytes)), machine.final()])
  return JSON.parse(text.toString('utf8'))
}

function keyOf(id: string): Buffer {
  return Buffer.from(hkdfSync('sha256', id, '', 'logstack dashboard session', 32))
}
