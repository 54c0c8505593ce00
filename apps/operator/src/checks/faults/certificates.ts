import { readFileSync, rmSync } from 'node:fs'
import { type PartName, parts } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import { inspectCertificate } from '@logstack/pki'
import { authorityCertificateFile } from '../../certificates/authority.ts'
import { leafProblem } from '../../certificates/leafs.ts'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { servedCertificate, servesItself } from '../../evidence/served-certificate.ts'
import { restartCommands, restartParts } from '../../mending/restart-parts.ts'
import { runStep } from '../../mending/run-step.ts'
import { leafFilesOf } from '../../places/paths.ts'
import type { Stack } from '../../stack.ts'
import { certificates as certificatesStep } from '../../steps/certificates.ts'
import { owners } from '../../steps/host/owners.ts'

interface Found {
  readonly parts: readonly WrongLeaf[]
  /** What else the step would write: copies of the authority's certificate. */
  readonly copies: readonly string[]
}

interface WrongLeaf {
  readonly part: PartName
  readonly problem: string
  /** `served`: the files are right, the part still shows what it read before. */
  readonly where: 'file' | 'unreadable' | 'served'
}

/** Certificates that are missing, expired or about to (30 days), do not fit their key, the authority, or a name or address of this host, or are not the ones that are served. */
export const certificates = defineFault<Found>({
  name: 'certificates',
  title: 'certificates',
  explainedBy: ['certificate-authority'],
  async diagnose(context) {
    const { stack } = context
    const authority = readFileSync(authorityCertificateFile(stack.paths), 'utf8')
    const looked = await Promise.all(parts.map((part) => wrongLeafOf(context, part, authority)))
    const wrong = looked.flatMap((leaf) => (leaf ? [leaf] : []))
    const copies = wrong.some(({ where }) => where === 'unreadable') ? [] : await copiesOf(stack)
    if (wrong.length === 0 && copies.length === 0) {
      const until = inspectCertificate(readFileSync(leafFilesOf(stack.paths, 'search').cert, 'utf8')).notAfter
      return { status: 'healthy', detail: `valid until ${until.toISOString().slice(0, 10)}` }
    }
    return {
      status: 'fault',
      problem: problemOf(wrong, copies),
      evidence: [
        ...wrong.map(({ part, problem }) => `${leafFilesOf(stack.paths, part).cert} ${problem}`),
        ...copies.map((line) => `to do: ${line}`),
      ],
      meaning: 'agents, browsers and the parts themselves refuse, or soon will refuse, to talk to what shows it',
      found: { parts: wrong, copies },
    }
  },
  plan({ stack }, { parts: wrong, copies }) {
    const renewed = wrong.filter(({ where }) => where !== 'served')
    return [
      ...(renewed.length > 0 ? ['./logstack down && ./logstack up'] : []),
      ...renewed.map(({ part }) => `# a new ${leafFilesOf(stack.paths, part).cert} under the same authority`),
      ...copies.map((line) => `# ${line}`),
      ...restartCommands(wrong.map(({ part }) => part)),
    ]
  },
  async repair({ stack }, { parts: wrong }, progress) {
    for (const { part, where } of wrong) {
      // What cannot be read cannot be judged; the step makes what is missing.
      if (where === 'unreadable')
        for (const file of Object.values(leafFilesOf(stack.paths, part))) rmSync(file, { force: true })
    }
    await runStep(certificatesStep, stack, progress)
    if (stack.runtime.kind === 'podman') await runStep(owners, stack, progress)
    stack.clients.close()
    await restartParts(
      stack,
      wrong.map(({ part }) => part),
      progress,
    )
  },
})

async function wrongLeafOf(context: DoctorContext, part: PartName, authority: string): Promise<WrongLeaf | undefined> {
  const { stack } = context
  try {
    const problem = leafProblem(stack, part, authority)
    if (problem !== undefined) return { part, problem, where: 'file' }
  } catch (thrown) {
    return { part, problem: `or its key cannot be read: ${messageOf(thrown)}`, where: 'unreadable' }
  }
  const served = await servedCertificate(context, part)
  if (served === undefined) return undefined
  const own = inspectCertificate(readFileSync(leafFilesOf(stack.paths, part).cert, 'utf8'))
  const shown = inspectCertificate(served)
  if (shown.fingerprint === own.fingerprint) return undefined
  // Another program at the port is another check's fault; this part reads its file again when it is restarted.
  if (shown.commonName !== own.commonName && !(await servesItself(context, part))) return undefined
  const whose = shown.commonName === own.commonName ? 'the certificate' : `the certificate of [${shown.commonName}]`
  const problem = `is not served: ${part} shows ${whose} with the serial number ${shown.serialNumber}, the file has ${own.serialNumber}`
  return { part, problem, where: 'served' }
}

async function copiesOf(stack: Stack): Promise<readonly string[]> {
  const finding = await certificatesStep.diagnose(stack)
  return finding.done ? [] : finding.plan.filter((line) => line.startsWith('write '))
}

function problemOf(wrong: readonly WrongLeaf[], copies: readonly string[]): string {
  const [first] = wrong
  if (!first) return `a copy of the authority's certificate is missing or differs: ${copies.join(', ')}`
  const more = wrong.length === 1 ? '' : ` (and ${wrong.length - 1} more)`
  return `the certificate of ${first.part} ${first.problem}${more}`
}
