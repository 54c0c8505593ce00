import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parts } from '@logstack/contracts'
import { createAuthority } from '@logstack/pki'
import {
  agentsAuthorityFile,
  agentsAuthoritySecret,
  readAuthority,
  settleAuthority,
} from '../certificates/authority.ts'
import { leafProblem, renewLeafs } from '../certificates/leafs.ts'
import { reloadCertificates } from '../certificates/reload.ts'
import { writeFileAtomically } from '../places/write-file.ts'
import type { Stack } from '../stack.ts'
import { unproven } from '../telling/unproven.ts'
import { defineStep, findingOf } from './define-step.ts'

/** The stack's own authority and a leaf for every part, renewed under the same authority; and the authority of agents' certificates. */
export const certificates = defineStep({
  name: 'certificates',
  title: 'certificates',
  async diagnose(stack) {
    return findingOf(planOf(stack))
  },
  async apply(stack) {
    const { paths, vault } = stack
    const authority = await settleAuthority(paths)
    writeFileAtomically(paths.caFile, authority.cert)
    writeFileAtomically(join(paths.certsVolume, 'root-ca.crt'), authority.cert)
    if (agentsAuthorityIsMissing(stack)) {
      const agents = await createAuthority({ commonName: 'logstack agents CA' })
      vault.create()
      vault.write(agentsAuthoritySecret, agents.key)
      writeFileAtomically(agentsAuthorityFile(paths), agents.cert)
    }
    const renewed = await renewLeafs(stack)
    await reloadCertificates(
      stack,
      renewed.map(({ part }) => part),
    )
  },
  async prove(stack) {
    const [problem] = planOf(stack)
    if (problem) throw unproven(`certificates are still wrong: ${problem}`)
  },
})

function planOf(stack: Stack): string[] {
  const { paths } = stack
  const authority = readAuthority(paths)
  if (!authority)
    return [
      `make an authority, or put its certificate back: ${paths.caFile}`,
      ...parts.map((part) => `make a certificate for ${part}`),
    ]
  const plan = parts.flatMap((part) => {
    const problem = leafProblem(stack, part, authority.cert)
    return problem ? [`renew the certificate of ${part}: it ${problem}`] : []
  })
  if (!sameText(paths.caFile, authority.cert)) plan.push(`write ${paths.caFile}`)
  if (!sameText(join(paths.certsVolume, 'root-ca.crt'), authority.cert)) plan.push('write root-ca.crt for the parts')
  if (agentsAuthorityIsMissing(stack)) plan.push("make the authority of agents' certificates")
  return plan
}

function agentsAuthorityIsMissing({ paths, vault }: Stack): boolean {
  return !vault.has(agentsAuthoritySecret) || !existsSync(agentsAuthorityFile(paths))
}

function sameText(file: string, text: string): boolean {
  return existsSync(file) && readFileSync(file, 'utf8') === text
}
