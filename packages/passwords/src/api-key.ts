import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const idBytes = 15
const keyBytes = 32

/** A new key: what its holder gets once, and what the server keeps. Keys are 256 random bits, so a plain SHA-256 of them tells nothing. */
export interface NewApiKey {
  readonly id: string
  /** base64 of `id:key` */
  readonly encoded: string
  readonly sha256: string
}

export function createApiKey(): NewApiKey {
  const id = randomBytes(idBytes).toString('base64url')
  const key = randomBytes(keyBytes).toString('base64url')
  return { id, encoded: Buffer.from(`${id}:${key}`).toString('base64'), sha256: sha256Of(key) }
}

/** Reads `Authorization: ApiKey <base64 of id:key>`; undefined for anything else. */
export function readApiKey(header: string | undefined): { readonly id: string; readonly key: string } | undefined {
  const encoded = /^ApiKey ([A-Za-z0-9+/=_-]{8,512})$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const [, id, key] = /^([\w-]{1,128}):([\w-]{1,256})$/.exec(Buffer.from(encoded, 'base64').toString('latin1')) ?? []
  return id !== undefined && key !== undefined ? { id, key } : undefined
}

/** Whether `key` is the one whose hash is kept, in constant time. */
export function keyMatches(key: string, sha256: string): boolean {
  const expected = Buffer.from(sha256, 'hex')
  const given = Buffer.from(sha256Of(key), 'hex')
  return expected.length === given.length && timingSafeEqual(expected, given)
}

function sha256Of(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
