import { createHash } from 'node:crypto'

/** The cookie's name for a stack: two stacks on one host name must not end each other's sessions. */
export function cookieNameOf(caPem: string): string {
  return `logstack_sid_${createHash('sha256').update(caPem).digest('hex').slice(0, 8)}`
}

/** The value of one cookie of a `Cookie` header (RFC 6265 section 5.4). */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

/** A `Set-Cookie` value that pages cannot read and other sites' requests do not carry; an undefined value removes the cookie. */
export function sessionCookie(name: string, value: string | undefined): string {
  const life = value === undefined ? '; Max-Age=0' : ''
  return `${name}=${value ?? ''}; Path=/; HttpOnly; Secure; SameSite=Lax${life}`
}
