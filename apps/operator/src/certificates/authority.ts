import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, isAppError, operatorErrors } from '@logstack/errors'
import { type Authority, createAuthority, keyMatchesCertificate } from '@logstack/pki'
import { takeLock } from '../lock/lock.ts'
import type { Paths } from '../places/paths.ts'
import { writeFileAtomically } from '../places/write-file.ts'

/** The private key that signs agents' client certificates: a secret of agent-server; its certificate is in every part's certificates. */
export const agentsAuthoritySecret = 'logstack_agents_ca_key'

const lockWait = { limitMs: 60_000, pollMs: 100 } as const

/** The certificate that agents' client certificates are checked against. */
export function agentsAuthorityFile(paths: Pick<Paths, 'certsVolume'>): string {
  return join(paths.certsVolume, 'agents-ca.crt')
}

/** The stack's own authority; undefined when it was not made yet. */
export function readAuthority(paths: Pick<Paths, 'authorityKeyFile'>): Authority | undefined {
  const certFile = authorityCertificateFile(paths)
  if (!existsSync(paths.authorityKeyFile) || !existsSync(certFile)) return undefined
  return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(paths.authorityKeyFile, 'utf8') }
}

/**
 * The stack's own authority, made where there is none. Of one whose certificate is lost the copy that people have is put back; where half of
 * it is lost for good (`authority_lost`) none is made: every agent and browser trusts the one of before.
 */
export async function settleAuthority(paths: Pick<Paths, 'authorityKeyFile' | 'caFile'>): Promise<Authority> {
  const { authorityKeyFile, caFile } = paths
  const known = readAuthority(paths)
  if (known) return known
  const certFile = authorityCertificateFile(paths)
  if (!existsSync(authorityKeyFile) && !existsSync(certFile)) return makeAuthority(paths)
  if (existsSync(authorityKeyFile) && existsSync(caFile)) {
    const found = { cert: readFileSync(caFile, 'utf8'), key: readFileSync(authorityKeyFile, 'utf8') }
    if (keyFits(found.cert, found.key)) {
      writeFileAtomically(certFile, found.cert)
      return found
    }
  }
  const missing = existsSync(authorityKeyFile) ? certFile : authorityKeyFile
  throw new AppError(operatorErrors.authority_lost, `${missing} is missing, and no copy of it is known`, {
    fix: `restore it from a backup; without one: rm -f ${authorityKeyFile} ${certFile}, and enrol every agent again`,
  })
}

/** Whether a key belongs to a certificate; what is no key or no certificate does not. */
export function keyFits(cert: string, key: string): boolean {
  try {
    return keyMatchesCertificate(cert, key)
  } catch (thrown) {
    if (thrown instanceof Error) return false
    throw thrown
  }
}

/** Its key is readable by the owner only. */
async function makeAuthority(paths: Pick<Paths, 'authorityKeyFile'>): Promise<Authority> {
  const authority = await createAuthority()
  writeFileAtomically(paths.authorityKeyFile, authority.key, 0o600)
  chmodSync(paths.authorityKeyFile, 0o600)
  writeFileAtomically(authorityCertificateFile(paths), authority.cert)
  return authority
}

/**
 * Does `work` while no other process issues certificates: the timer, a part that starts and an operator's command may all find the same
 * leaf wrong, and the key of one must not meet the certificate of another. Waits for its turn, at most a minute (`operator_busy`).
 */
export async function whileIssuing<T>(paths: Pick<Paths, 'runDir'>, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + lockWait.limitMs
  for (;;) {
    try {
      const lock = takeLock(join(paths.runDir, 'certificates.lock'), 'issuing certificates')
      try {
        return await work()
      } finally {
        lock.release()
      }
    } catch (thrown) {
      if (!isAppError(thrown) || thrown.code !== 'operator_busy' || performance.now() > deadline) throw thrown
      await sleep(lockWait.pollMs)
    }
  }
}

/** The certificate beside the key is the truth; the copies people and parts read can be made from it again. */
export function authorityCertificateFile(paths: Pick<Paths, 'authorityKeyFile'>): string {
  return paths.authorityKeyFile.replace(/\.key$/, '.crt')
}
