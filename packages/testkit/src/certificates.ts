import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Authority, createAuthority, type IssuedCertificate, issueServerCertificate } from '@logstack/pki'
import { runFolder } from './run-folder.ts'
import { type TempDir, tempDir } from './temp-dir.ts'

/** A throw-away authority, a leaf for 127.0.0.1, ::1 and localhost, and a directory laid out as a part's LOGSTACK_CERTS_DIR. */
export interface TestCertificates {
  readonly authority: Authority
  /** PEM of the authority's certificate. */
  readonly ca: string
  readonly cert: string
  readonly key: string
  /** Holds `root-ca.crt` and `<part>.crt`, `<part>.key` for each part asked for. */
  readonly dir: string
}

const partNames = ['search', 'dashboard', 'endpoint-manager', 'alerter', 'agent-server']
let cached: Promise<{ certificates: TestCertificates; temporary: TempDir }> | undefined

/** The certificates of this test process, made once and removed when it exits. */
export async function testCertificates(): Promise<TestCertificates> {
  cached ??= makeCertificates()
  return (await cached).certificates
}

async function makeCertificates(): Promise<{ certificates: TestCertificates; temporary: TempDir }> {
  const authority = await createAuthority({ commonName: 'logstack test CA' })
  const leaf: IssuedCertificate = await issueServerCertificate(authority, {
    commonName: 'logstack-test',
    hosts: partNames.map((part) => `logstack-${part}`),
  })
  const temporary = tempDir('logstack-certs', runFolder())
  process.once('exit', () => temporary.remove())
  writeFileSync(join(temporary.path, 'root-ca.crt'), authority.cert)
  for (const part of partNames) {
    writeFileSync(join(temporary.path, `${part}.crt`), leaf.cert)
    writeFileSync(join(temporary.path, `${part}.key`), leaf.key, { mode: 0o600 })
  }
  const certificates = { authority, ca: authority.cert, cert: leaf.cert, key: leaf.key, dir: temporary.path }
  return { certificates, temporary }
}
