import type { SignedPair } from './x509.ts'

/** A certificate authority: PEM certificate and PEM private key. */
export type Authority = SignedPair

/** Validity of the authority and of the leafs it signs, in calendar years. */
export const validityYears = { authority: 10, leaf: 2 } as const

/** Makes the stack's own authority, valid for ten years from `now`. */
export async function createAuthority(options: { commonName?: string; now?: Date } = {}): Promise<Authority> {
  const { signCertificate } = await import('./x509.ts')
  const notBefore = wholeSeconds(options.now)
  return signCertificate({
    commonName: options.commonName ?? 'logstack CA',
    notBefore,
    notAfter: addYears(notBefore, validityYears.authority),
    use: 'authority',
  })
}

/** `now` without its milliseconds: X.509 times have none. */
export function wholeSeconds(now: Date = new Date()): Date {
  return new Date(Math.floor(now.getTime() / 1000) * 1000)
}

/** The same calendar day and time `years` later; 29 February becomes 1 March. */
export function addYears(date: Date, years: number): Date {
  const later = new Date(date)
  later.setUTCFullYear(later.getUTCFullYear() + years)
  return later
}
