import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { containerName, type PartName, parts } from '@logstack/contracts'
import { AppError, operatorErrors } from '@logstack/errors'
import { readSupervisorState } from '../places/supervisor-state.ts'
import { isEmbedded, type Stack } from '../stack.ts'
import { refreshSecrets } from './deliver-secrets.ts'

/** The part that a secret people keep is for, by its name `PART.NAME`; undefined for those the stack makes itself. */
export function partOfSecret(name: string): PartName | undefined {
  return parts.find((part) => name.startsWith(`${part}.`))
}

/** The part of a name that people may set; `option_invalid` for any other name. */
export function requirePartOfSecret(stack: Pick<Stack, 'choices'>, name: string): PartName {
  const part = partOfSecret(name)
  const { adminUser } = stack.choices
  // Tools find the administrator's secret as the only one whose name contains the administrator's.
  if (part && /^[a-z-]+\.[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) && !name.includes(adminUser)) return part
  const why = part && name.includes(adminUser) ? `contains ${adminUser}` : 'is not PART.NAME'
  throw new AppError(operatorErrors.option_invalid, `[${name}] cannot be set: it ${why}`, {
    fix: 'name it for the part that gets it, such as alerter.smtp; passwords are set with ./logstack password set',
  })
}

/** Gives a running part the secret as the vault now has it, or takes it away; nothing happens when the part does not run. */
export function handOver(stack: Stack, part: PartName, name: string): void {
  if (!isEmbedded(stack)) {
    refreshSecrets(stack, part)
    return
  }
  const root = readSupervisorState(stack.paths)?.secretsRoot
  const dir = root === undefined ? undefined : join(root, containerName(part))
  if (dir === undefined || !existsSync(dir)) return
  const file = join(dir, name)
  if (stack.vault.has(name)) writeFileSync(file, stack.vault.read(name), { mode: 0o600 })
  else rmSync(file, { force: true })
}
