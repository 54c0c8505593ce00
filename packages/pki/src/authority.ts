import type { SignedPair } from './x509.ts'

/** A certificate authority: PEM certificate and PEM private key. */
export type Authority = SignedPair

const beforeMs = 86_400_000

/** Validity of the authority and of the leafs it signs, in calendar years. */
export const validityYears = { authority: 10, leaf: 2 } as const

/** Makes the stack's own authority, valid for ten years from `now` (and from a day before). */
export async function createAuthority(options: { commonName?: string; now?: Date } = {}): Promise<Authority> {
  const { signCertificate } = await import('./x509.ts')
  return signCertificate({
    commonName: options.commonName ?? 'logstack CA',
    ...validity(validityYears.authority, options.now),
    use: 'authority',
  })
}

/**
 * From when to when a certificate is valid that is made `now`. It begins a day earlier: a host whose clock is behind refuses what is not valid yet, and a
 * certificate that was just made would keep its agent out until then.
 */
export function validity(years: number, now?: Date): { readonly notBefore: Date; readonly notAfter: Date } {
  const made = wholeSeconds(now)
  return { notBefore: new Date(made.getTime() - beforeMs), notAfter: addYears(made, years) }
}

/** `now` without its milliseconds: X.509 times have none. */
function wholeSeconds(now: Date = new Date()): Date {
  return new Date(Math.floor(now.getTime() / 1000) * 1000)
}

/** The same calendar day and time `years` later; 29 February becomes 1 March. */
export function addYears(date: Date, years: number): Date {
  const later = new Date(date)
  later.setUTCFullYear(later.getUTCFullYear() + years)
  return later
}
