import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { containerName, type PartName, parts } from '@logstack/contracts'
import {
  type Authority,
  certificateCovers,
  createAuthority,
  inspectCertificate,
  isSignedBy,
  issueServerCertificate,
  keyMatchesCertificate,
} from '@logstack/pki'
import { leafFilesOf, type Paths } from '../places/paths.ts'
import { writeFileAtomically } from '../places/write-file.ts'
import type { Stack } from '../stack.ts'
import { defineStep, findingOf } from './define-step.ts'
import { unproven } from './unproven.ts'

/** Leafs are renewed when they end within this time. */
const renewBeforeMs = 30 * 86_400_000

/** The private key that signs agents' client certificates: a secret of agent-server; its certificate is in every part's certificates. */
export const agentsAuthoritySecret = 'logstack_agents_ca_key'

/** The stack's own authority and a leaf for every part, renewed under the same authority; and the authority of agents' certificates. */
export const certificates = defineStep({
  name: 'certificates',
  title: 'certificates',
  async diagnose(stack) {
    return findingOf(planOf(stack))
  },
  async apply(stack) {
    const { paths, vault } = stack
    const authority = readAuthority(paths) ?? (await makeAuthority(paths))
    writeFileAtomically(paths.caFile, authority.cert)
    writeFileAtomically(join(paths.certsVolume, 'root-ca.crt'), authority.cert)
    if (agentsAuthorityIsMissing(stack)) {
      const agents = await createAuthority({ commonName: 'logstack agents CA' })
      vault.create()
      vault.write(agentsAuthoritySecret, agents.key)
      writeFileAtomically(agentsAuthorityFile(paths), agents.cert)
    }
    for (const part of parts) {
      if (leafProblem(stack, part, authority.cert) === undefined) continue
      const leaf = await issueServerCertificate(authority, { commonName: containerName(part), hosts: hostsOf(stack) })
      const files = leafFilesOf(paths, part)
      writeFileAtomically(files.key, leaf.key, 0o600)
      writeFileAtomically(files.cert, leaf.cert)
    }
  },
  async prove(stack) {
    const [problem] = planOf(stack)
    if (problem) throw unproven(`certificates are still wrong: ${problem}`)
  },
})

const containerInterface = /^(podman|docker|veth|cni|virbr)\d*|^br-/

/** Every name and address a leaf must cover: the containers' names, this host's, and the address people use. */
export function hostsOf(stack: Pick<Stack, 'choices'>): string[] {
  const addresses = Object.entries(networkInterfaces())
    // Bridges of containers come and go with them.
    .flatMap(([name, list]) => (containerInterface.test(name) ? [] : (list ?? [])))
    // Link-local addresses are not what anyone types, and change with the interface.
    .filter((address) => !address.internal && !address.address.startsWith('fe80'))
    .map((address) => address.address)
  const names = [hostname(), stack.choices.ipvar, ...parts.map(containerName)]
  return [...new Set([...names, ...addresses])].filter(Boolean)
}

/** Why a part's leaf must be renewed; undefined when it is right. */
export function leafProblem(stack: Pick<Stack, 'paths' | 'choices'>, part: PartName, authority: string) {
  const files = leafFilesOf(stack.paths, part)
  if (!existsSync(files.cert) || !existsSync(files.key)) return 'is missing'
  const cert = readFileSync(files.cert, 'utf8')
  const facts = inspectCertificate(cert)
  if (facts.notAfter.getTime() < Date.now()) return `expired on ${facts.notAfter.toISOString()}`
  if (facts.notAfter.getTime() < Date.now() + renewBeforeMs) return `expires on ${facts.notAfter.toISOString()}`
  if (!isSignedBy(cert, authority)) return 'is not signed by the authority'
  if (!keyMatchesCertificate(cert, readFileSync(files.key, 'utf8'))) return 'does not fit its key'
  const uncovered = hostsOf(stack).find((host) => !certificateCovers(cert, host))
  return uncovered ? `does not cover ${uncovered}` : undefined
}

function planOf(stack: Stack): string[] {
  const { paths } = stack
  const authority = readAuthority(paths)
  if (!authority)
    return [`make an authority: ${paths.caFile}`, ...parts.map((part) => `make a certificate for ${part}`)]
  const plan = parts.flatMap((part) => {
    const problem = leafProblem(stack, part, authority.cert)
    return problem ? [`renew the certificate of ${part}: it ${problem}`] : []
  })
  if (!sameText(paths.caFile, authority.cert)) plan.push(`write ${paths.caFile}`)
  if (!sameText(join(paths.certsVolume, 'root-ca.crt'), authority.cert)) plan.push('write root-ca.crt for the parts')
  if (agentsAuthorityIsMissing(stack)) plan.push("make the authority of agents' certificates")
  return plan
}

function agentsAuthorityFile(paths: Paths): string {
  return join(paths.certsVolume, 'agents-ca.crt')
}

function agentsAuthorityIsMissing({ paths, vault }: Stack): boolean {
  return !vault.has(agentsAuthoritySecret) || !existsSync(agentsAuthorityFile(paths))
}

// The certificate beside the key is the truth; the copies people and parts read can be made from it again.
function authorityCertificateFile(paths: Paths): string {
  return paths.authorityKeyFile.replace(/\.key$/, '.crt')
}

function readAuthority(paths: Paths): Authority | undefined {
  const certFile = authorityCertificateFile(paths)
  if (!existsSync(paths.authorityKeyFile) || !existsSync(certFile)) return undefined
  return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(paths.authorityKeyFile, 'utf8') }
}

async function makeAuthority(paths: Paths): Promise<Authority> {
  const authority = await createAuthority()
  writeFileAtomically(paths.authorityKeyFile, authority.key, 0o600)
  chmodSync(paths.authorityKeyFile, 0o600)
  writeFileAtomically(authorityCertificateFile(paths), authority.cert)
  return authority
}

function sameText(file: string, text: string): boolean {
  return existsSync(file) && readFileSync(file, 'utf8') === text
}
