import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineFault } from '../../doctor/define-fault.ts'
import { settlePasswords } from '../../passwords/change-password.ts'
import { adoptHandedOver } from '../../passwords/handover.ts'
import { handoverDir } from '../../places/handover-dir.ts'
import type { Stack } from '../../stack.ts'

interface Found {
  readonly staged: readonly string[]
  readonly handedOver: readonly string[]
}

/** Passwords on their way: reset inside search and not taken over yet, or a change that was cut off. The unit that does it did not run. */
export const pendingPassword = defineFault<Found>({
  name: 'pending-password',
  title: 'passwords on their way',
  explainedBy: ['companion-units'],
  async diagnose({ stack }) {
    const staged = stack.vault.stagedNames()
    const handedOver = handedOverFiles(stack)
    if (staged.length === 0 && handedOver.length === 0) return { status: 'healthy', detail: 'none' }
    return {
      status: 'fault',
      problem:
        handedOver.length > 0
          ? 'a password was reset inside search and is not stored yet'
          : `the change of the password of ${staged.join(', ')} was cut off`,
      evidence: [
        ...handedOver.map((file) => `${file} waits for the operator`),
        ...staged.map((name) => `${stack.paths.vaultDir} holds a password of [${name}] that was not put in effect`),
      ],
      meaning: 'the stored password may not be the one of search any more',
      found: { staged, handedOver },
    }
  },
  plan: () => ['./logstack password settle'],
  async repair({ stack }, _found, progress) {
    await settlePasswords(stack, (doing) => progress.waiting(doing))
    await adoptHandedOver(stack, (doing) => progress.waiting(doing))
  },
})

function handedOverFiles({ paths }: Stack): string[] {
  const folder = handoverDir(paths)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
}
