import { existsSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type PartName, parts } from '@logstack/contracts'
import { AppError, operatorErrors } from '@logstack/errors'
import { type ForeignPair, foreignPairProblem, inspectCertificate, splitChain } from '@logstack/pki'
import { containerUserOf } from '../places/container-users.ts'
import type { Paths } from '../places/paths.ts'
import { writeFileAtomically } from '../places/write-file.ts'
import type { Stack } from '../stack.ts'
import { unproven } from '../telling/unproven.ts'
import { whileIssuing } from './authority.ts'
import { reloadCertificates, waitUntilShown } from './reload.ts'

/** Parts that can show a certificate of the operator's own: those people and other programs talk to. Agents trust the stack's authority only. */
export const importingParts: readonly PartName[] = ['dashboard', 'search']

/** Where an imported certificate with its chain and its key lie. */
export function importedFilesOf(paths: Pick<Paths, 'certsVolume'>, part: PartName): { cert: string; key: string } {
  const at = (end: string): string => join(paths.certsVolume, `${part}.imported.${end}`)
  return { cert: at('crt'), key: at('key') }
}

/**
 * Takes over a certificate somebody else issued for a part. It is shown to clients that ask for one of its names; everyone else, the parts
 * and agents among them, gets the stack's own as before. `option_invalid` says what is wrong with it, and then nothing is changed.
 */
export async function importCertificate(
  stack: Stack,
  part: PartName,
  pair: ForeignPair & { readonly name?: string },
): Promise<{ readonly names: readonly string[]; readonly notAfter: Date }> {
  checkPart(part)
  const names = [...new Set([pair.name ?? [hostname(), stack.choices.ipvar]].flat())]
  const problem = foreignPairProblem(pair, names, new Date())
  if (problem !== undefined) {
    throw new AppError(operatorErrors.option_invalid, problem, {
      fix: 'give a certificate for a name of this host (--name NAME, if people use another), its chain in one file, and its key',
    })
  }
  const facts = inspectCertificate(splitChain(pair.chain)[0] ?? '')
  const files = importedFilesOf(stack.paths, part)
  await whileIssuing(stack.paths, async () => {
    writeFileAtomically(files.key, pair.key, 0o600, containerUserOf(stack.paths, part))
    writeFileAtomically(files.cert, splitChain(pair.chain).join(''))
  })
  await reloadCertificates(stack, [part])
  const [name = ''] = facts.dnsNames
  const isRunning = (await stack.runtime.list()).some((status) => status.part === part && status.state === 'running')
  // A name with an asterisk is asked for by one of the names it stands for.
  if (isRunning && !(await waitUntilShown(stack, part, facts.fingerprint, name.replace('*', 'www')))) {
    throw unproven(`${part} does not show the imported certificate to clients that ask for ${name}`)
  }
  return { names: facts.dnsNames, notAfter: facts.notAfter }
}

/** Takes an imported certificate away again; false when there was none. */
export async function removeImported(stack: Stack, part: PartName): Promise<boolean> {
  checkPart(part)
  const files = importedFilesOf(stack.paths, part)
  if (!existsSync(files.cert)) return false
  await whileIssuing(stack.paths, async () => {
    // The certificate first: as long as it is there, the key is read.
    rmSync(files.cert, { force: true })
    rmSync(files.key, { force: true })
  })
  await reloadCertificates(stack, [part])
  return true
}

function checkPart(part: PartName): void {
  if (importingParts.includes(part)) return
  const why = parts.includes(part) ? `agents and parts that talk to ${part} trust the stack's own authority only` : part
  throw new AppError(operatorErrors.option_invalid, why, { fix: `use one of: ${importingParts.join(', ')}` })
}
