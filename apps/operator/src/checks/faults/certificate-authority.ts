import { existsSync, readFileSync } from 'node:fs'
import { messageOf } from '@logstack/errors'
import { inspectCertificate, keyMatchesCertificate } from '@logstack/pki'
import { agentsAuthorityFile, authorityCertificateFile } from '../../certificates/authority.ts'
import { defineFault } from '../../doctor/define-fault.ts'
import { writeFileAtomically } from '../../places/write-file.ts'

/** Every agent has to be visited before it ends; milliseconds. */
const toldBeforeMs = 180 * 86_400_000

const isEarlyWords = 'is not valid before'

interface Found {
  /** It begins later than now: first the clock has to be right. */
  readonly isEarly: boolean
  /** A copy of the certificate that fits the key, when only the one beside the key is lost. */
  readonly copy: string | undefined
}

/** The authority that signs every certificate: lost, damaged or expired. Nothing here makes a new one, as every agent would have to learn it. */
export const certificateAuthority = defineFault<Found>({
  name: 'certificate-authority',
  title: 'certificate authority',
  explainedBy: ['clock'],
  async diagnose({ stack }) {
    const { authorityKeyFile, caFile } = stack.paths
    const certFile = authorityCertificateFile(stack.paths)
    const problem = problemOf(authorityKeyFile, certFile)
    if (problem === undefined) {
      const notAfter = firstEnd([certFile, agentsAuthorityFile(stack.paths)])
      const until = notAfter.toISOString().slice(0, 10)
      if (notAfter.getTime() - Date.now() > toldBeforeMs) return { status: 'healthy', detail: `valid until ${until}` }
      const detail = `ends on ${until}: plan a new one, which agents learn only by being enrolled again, see docs/operator/certificates.md`
      return { status: 'information', detail }
    }
    const copy = problemOf(authorityKeyFile, caFile) === undefined ? caFile : undefined
    return {
      status: 'fault',
      problem: `the authority ${problem}`,
      evidence: [`${authorityKeyFile}: ${factOf(authorityKeyFile)}`, `${certFile}: ${factOf(certFile)}`],
      meaning: 'no certificate can be renewed; what runs goes on until its certificate ends',
      found: { copy, isEarly: problem.startsWith(isEarlyWords) },
    }
  },
  plan({ stack: { paths } }, { copy, isEarly }) {
    const certFile = authorityCertificateFile(paths)
    if (isEarly)
      return [
        'timedatectl set-ntp true',
        '# only if the clock is right: as for an authority that is lost, see docs/operator/certificates.md',
      ]
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

/** When the first of these certificates ends; those that are not there count for nothing. */
function firstEnd(files: readonly string[]): Date {
  const ends = files.filter(existsSync).map((file) => inspectCertificate(readFileSync(file, 'utf8')).notAfter.getTime())
  return new Date(Math.min(...ends))
}

function problemOf(keyFile: string, certFile: string): string | undefined {
  if (!existsSync(keyFile)) return `has no key: ${keyFile} is missing`
  if (!existsSync(certFile)) return `has no certificate: ${certFile} is missing`
  try {
    const cert = readFileSync(certFile, 'utf8')
    const { notBefore, notAfter } = inspectCertificate(cert)
    if (notBefore.getTime() > Date.now())
      return `${isEarlyWords} ${notBefore.toISOString()}: the clock is behind, or was ahead when it was made`
    if (notAfter.getTime() < Date.now()) return `expired on ${notAfter.toISOString()}`
    return keyMatchesCertificate(cert, readFileSync(keyFile, 'utf8')) ? undefined : 'has a key that does not fit it'
  } catch (thrown) {
    return `cannot be read: ${messageOf(thrown)}`
  }
}

function factOf(file: string): string {
  return existsSync(file) ? `${readFileSync(file).length} bytes` : 'missing'
}
