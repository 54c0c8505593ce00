import { existsSync, readFileSync } from 'node:fs'
import { messageOf } from '@logstack/errors'
import { inspectCertificate, keyMatchesCertificate } from '@logstack/pki'
import { authorityCertificateFile } from '../../certificates/authority.ts'
import { writeFileAtomically } from '../../places/write-file.ts'
import { defineFault } from './define-fault.ts'

interface Found {
  /** A copy of the certificate that fits the key, when only the one beside the key is lost. */
  readonly copy: string | undefined
}

/** The authority that signs every certificate: lost, damaged or expired. Nothing here makes a new one, as every agent would have to learn it. */
export const certificateAuthority = defineFault<Found>({
  name: 'certificate-authority',
  title: 'certificate authority',
  async diagnose({ stack }) {
    const { authorityKeyFile, caFile } = stack.paths
    const certFile = authorityCertificateFile(stack.paths)
    const problem = problemOf(authorityKeyFile, certFile)
    if (problem === undefined) {
      const until = inspectCertificate(readFileSync(certFile, 'utf8')).notAfter
      return { status: 'healthy', detail: `valid until ${until.toISOString().slice(0, 10)}` }
    }
    const copy = problemOf(authorityKeyFile, caFile) === undefined ? caFile : undefined
    return {
      status: 'fault',
      problem: `the authority ${problem}`,
      evidence: [`${authorityKeyFile}: ${factOf(authorityKeyFile)}`, `${certFile}: ${factOf(certFile)}`],
      meaning: 'no certificate can be renewed; what runs goes on until its certificate ends',
      found: { copy },
    }
  },
  plan({ stack: { paths } }, { copy }) {
    const certFile = authorityCertificateFile(paths)
    if (copy !== undefined) return [`cp '${copy}' ${certFile}`]
    return [
      `# restore ${paths.authorityKeyFile} and ${certFile} from a backup`,
      `# without one: rm ${paths.authorityKeyFile} ${certFile} && ./logstack down && ./logstack up, and enrol every agent again`,
    ]
  },
  async repair({ stack: { paths } }, { copy }) {
    if (copy === undefined) throw new Error('the key of the authority is nowhere else: restore it from a backup')
    writeFileAtomically(authorityCertificateFile(paths), readFileSync(copy, 'utf8'))
  },
})

function problemOf(keyFile: string, certFile: string): string | undefined {
  if (!existsSync(keyFile)) return `has no key: ${keyFile} is missing`
  if (!existsSync(certFile)) return `has no certificate: ${certFile} is missing`
  try {
    const cert = readFileSync(certFile, 'utf8')
    const { notAfter } = inspectCertificate(cert)
    if (notAfter.getTime() < Date.now()) return `expired on ${notAfter.toISOString()}`
    return keyMatchesCertificate(cert, readFileSync(keyFile, 'utf8')) ? undefined : 'has a key that does not fit it'
  } catch (thrown) {
    return `cannot be read: ${messageOf(thrown)}`
  }
}

function factOf(file: string): string {
  return existsSync(file) ? `${readFileSync(file).length} bytes` : 'missing'
}
