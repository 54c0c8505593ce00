import { existsSync } from 'node:fs'
import { serviceAccounts } from '@logstack/contracts'
import { AppError, operatorErrors } from '@logstack/errors'
import { createSealingKeys, generatePassword } from '@logstack/passwords'
import { agentsAuthoritySecret } from '../certificates/authority.ts'
import { operatorPublicKeyFile } from '../passwords/handover.ts'
import { writeFileAtomically } from '../places/write-file.ts'
import type { Stack } from '../stack.ts'
import { unproven } from '../telling/unproven.ts'
import { defineStep, findingOf } from './define-step.ts'

/** The passwords of the administrator and of every part, made once and kept in the vault; one that exists is never made anew. */
export const secrets = defineStep({
  name: 'secrets',
  title: 'secrets',
  async diagnose(stack) {
    checkAdminName(stack.choices.adminUser)
    return findingOf([
      ...missing(stack).map((name) => `generate a password and store it as ${stack.paths.vaultDir}/${name}`),
      ...(operatorKeysAreMissing(stack) ? [`make the operator's key ${stack.paths.operatorKeyFile}`] : []),
    ])
  },
  async apply(stack) {
    stack.vault.create()
    for (const name of missing(stack)) stack.vault.write(name, generatePassword())
    if (operatorKeysAreMissing(stack)) writeOperatorKeys(stack)
  },
  async prove(stack) {
    for (const name of namesOf(stack)) stack.vault.read(name)
    if (operatorKeysAreMissing(stack)) throw unproven(`${stack.paths.operatorKeyFile} was not written`)
  },
})

function namesOf(stack: Stack): string[] {
  return [stack.choices.adminUser, ...serviceAccounts.map((account) => account.username)]
}

// With this pair search hands over passwords that were reset inside it; the operator alone can read them.
function operatorKeysAreMissing({ paths }: Stack): boolean {
  return !existsSync(paths.operatorKeyFile) || !existsSync(operatorPublicKeyFile(paths))
}

function writeOperatorKeys({ paths }: Stack): void {
  const { publicKey, privateKey } = createSealingKeys()
  writeFileAtomically(paths.operatorKeyFile, privateKey, 0o600)
  writeFileAtomically(operatorPublicKeyFile(paths), publicKey)
}

function missing(stack: Stack): string[] {
  return namesOf(stack).filter((name) => !stack.vault.has(name))
}

// Tools find the administrator's secret as the only one whose name contains the administrator's.
function checkAdminName(name: string): void {
  const inTheWay = [agentsAuthoritySecret, ...serviceAccounts.map((account) => account.username)].find((secret) =>
    secret.includes(name),
  )
  if (/^[A-Za-z][A-Za-z0-9._-]{0,63}$/.test(name) && !inTheWay) return
  const why = inTheWay ? `the secret ${inTheWay} contains it` : 'it is not a letter followed by letters, digits, . _ -'
  throw new AppError(operatorErrors.option_invalid, `the administrator cannot be called [${name}]: ${why}`, {
    fix: 'choose another name with --admin-user',
  })
}
