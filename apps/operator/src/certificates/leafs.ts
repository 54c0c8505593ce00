import { existsSync, readFileSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { containerName, type PartName, parts } from '@logstack/contracts'
import { AppError, operatorErrors } from '@logstack/errors'
import {
  type Authority,
  certificateCovers,
  inspectCertificate,
  isSignedBy,
  issueServerCertificate,
} from '@logstack/pki'
import { containerUserOf } from '../places/container-users.ts'
import { leafFilesOf } from '../places/paths.ts'
import { writeFileAtomically } from '../places/write-file.ts'
import type { Stack } from '../stack.ts'
import { keyFits, readAuthority, whileIssuing } from './authority.ts'

/** Leafs are renewed when they end within this time. */
export const renewBeforeMs = 30 * 86_400_000

/** What is needed to judge and issue leafs: nothing of it runs. */
export type CertificatePlaces = Pick<Stack, 'paths' | 'choices'>

/** A leaf that was issued anew, and why. */
export interface RenewedLeaf {
  readonly part: PartName
  /** As it follows on "it": `expired on …`, `does not cover 192.0.2.7`, `was asked for`. */
  readonly reason: string
  readonly notAfter: Date
}

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
export function leafProblem(stack: CertificatePlaces, part: PartName, authority: string): string | undefined {
  const files = leafFilesOf(stack.paths, part)
  if (!existsSync(files.cert) || !existsSync(files.key)) return 'is missing'
  const cert = readFileSync(files.cert, 'utf8')
  const unreadable = problemOfText(cert)
  if (unreadable) return unreadable
  const facts = inspectCertificate(cert)
  if (!isSignedBy(cert, authority)) return 'is not signed by the authority'
  // It was made while the clock was ahead, and nobody would talk to its part until then. A clock before the authority itself is behind, and what it would
  // make now would have expired when it is right.
  const isClockRight = inspectCertificate(authority).notBefore.getTime() <= Date.now()
  if (isClockRight && facts.notBefore.getTime() > Date.now())
    return `is not valid before ${facts.notBefore.toISOString()}`
  if (facts.notAfter.getTime() < Date.now()) return `expired on ${facts.notAfter.toISOString()}`
  if (facts.notAfter.getTime() < Date.now() + renewBeforeMs) return `expires on ${facts.notAfter.toISOString()}`
  if (!keyFits(cert, readFileSync(files.key, 'utf8'))) return 'does not fit its key'
  const uncovered = hostsOf(stack).find((host) => !certificateCovers(cert, host))
  return uncovered ? `does not cover ${uncovered}` : undefined
}

/**
 * Issues leafs anew under the stack's own authority: those of `parts` that are wrong, or all of `parts` when `force` is set. Writes files
 * only; parts that run get them by `reloadCertificates`. `not_running` when there is no authority yet.
 */
export async function renewLeafs(
  stack: CertificatePlaces,
  options: { readonly parts?: readonly PartName[]; readonly force?: boolean } = {},
): Promise<RenewedLeaf[]> {
  const authority = readAuthority(stack.paths)
  if (!authority) {
    throw new AppError(operatorErrors.not_running, `there is no authority at ${stack.paths.authorityKeyFile} yet`, {
      fix: './logstack up --detach',
    })
  }
  const wanted = options.parts ?? parts
  if (!options.force && wanted.every((part) => leafProblem(stack, part, authority.cert) === undefined)) return []
  return whileIssuing(stack.paths, async () => {
    const renewed: RenewedLeaf[] = []
    for (const part of wanted) {
      // Looked at again: whoever had the turn before may have renewed it.
      const reason = options.force ? 'was asked for' : leafProblem(stack, part, authority.cert)
      if (reason !== undefined) renewed.push({ part, reason, notAfter: await issueLeaf(stack, part, authority) })
    }
    return renewed
  })
}

/** Issues one leaf and puts it into the volume, its key readable by the part's own user only; answers its end. Call it within `whileIssuing`. */
async function issueLeaf(stack: CertificatePlaces, part: PartName, authority: Authority): Promise<Date> {
  const leaf = await issueServerCertificate(authority, { commonName: containerName(part), hosts: hostsOf(stack) })
  const files = leafFilesOf(stack.paths, part)
  writeFileAtomically(files.key, leaf.key, 0o600, containerUserOf(stack.paths, part))
  writeFileAtomically(files.cert, leaf.cert)
  return inspectCertificate(leaf.cert).notAfter
}

function problemOfText(cert: string): string | undefined {
  try {
    inspectCertificate(cert)
    return undefined
  } catch (thrown) {
    if (thrown instanceof Error) return 'cannot be read'
    throw thrown
  }
}
