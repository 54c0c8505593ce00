import { existsSync, readFileSync } from 'node:fs'
import { parts } from '@logstack/contracts'
import { type CertificateFacts, inspectCertificate, splitChain } from '@logstack/pki'
import { leafFilesOf } from '../places/paths.ts'
import { readAuthority } from './authority.ts'
import { importedFilesOf, importingParts } from './import.ts'
import { type CertificatePlaces, leafProblem, renewBeforeMs } from './leafs.ts'

/** One certificate of the stack as people are shown it. */
export interface ShownCertificate {
  /** `authority`, a part's name, or `dashboard (imported)`. */
  readonly of: string
  readonly file: string
  readonly notAfter: string | undefined
  readonly daysLeft: number | undefined
  readonly names: readonly string[]
  readonly fingerprint: string | undefined
  /** As it follows on "it"; undefined when it is right. */
  readonly problem: string | undefined
}

const dayMs = 86_400_000

/** All certificates: the authority, each part's leaf, and what was imported. Reads files only; damaged ones are a problem, never an error. */
export function showCertificates(stack: CertificatePlaces, now: Date = new Date()): ShownCertificate[] {
  const { paths } = stack
  const authority = readAuthority(paths)?.cert
  const leafs = parts.map((part) => {
    const { cert } = leafFilesOf(paths, part)
    return shown(part, cert, authority ? leafProblem(stack, part, authority) : 'has no authority', now)
  })
  const imported = importingParts
    .map((part) => ({ part, file: importedFilesOf(paths, part).cert }))
    .filter(({ file }) => existsSync(file))
    .map(({ part, file }) => shown(`${part} (imported)`, file, endOf(file, now), now))
  return [shown('authority', paths.caFile, endOf(paths.caFile, now), now), ...leafs, ...imported]
}

function shown(of: string, file: string, problem: string | undefined, now: Date): ShownCertificate {
  const facts = factsOf(file)
  return {
    of,
    file,
    notAfter: facts?.notAfter.toISOString(),
    daysLeft: facts && Math.floor((facts.notAfter.getTime() - now.getTime()) / dayMs),
    names: facts ? [...facts.dnsNames, ...facts.addresses] : [],
    fingerprint: facts?.fingerprint,
    problem,
  }
}

// Nobody but its owner can renew an imported certificate, so it is told as early as the others are renewed.
function endOf(file: string, now: Date): string | undefined {
  const facts = factsOf(file)
  if (!facts) return existsSync(file) ? 'cannot be read' : 'is missing'
  const leftMs = facts.notAfter.getTime() - now.getTime()
  if (leftMs < 0) return `expired on ${facts.notAfter.toISOString()}`
  return leftMs < renewBeforeMs ? `expires on ${facts.notAfter.toISOString()}` : undefined
}

function factsOf(file: string): CertificateFacts | undefined {
  if (!existsSync(file)) return undefined
  try {
    return inspectCertificate(splitChain(readFileSync(file, 'utf8'))[0] ?? '')
  } catch (thrown) {
    if (thrown instanceof Error) return undefined
    throw thrown
  }
}
