import { settlePasswords } from '../passwords/change-password.ts'
import { adoptHandedOver, handedOver } from '../passwords/handover.ts'
import type { Stack } from '../stack.ts'
import { unproven } from '../telling/unproven.ts'
import { defineStep, findingOf } from './define-step.ts'

/** Changes of passwords that were cut off, and passwords that were reset inside search, before anything logs in with what the vault holds. */
export const settlePasswordsStep = defineStep({
  name: 'settle-passwords',
  title: 'changes of passwords that were cut off',
  async diagnose(stack) {
    return findingOf(isUndecided(stack) ? ['logstack password settle'] : [])
  },
  async apply(stack) {
    await settlePasswords(stack)
    await adoptHandedOver(stack)
  },
  async prove(stack) {
    if (isUndecided(stack)) throw unproven('a change of a password is still undecided', './logstack password settle')
  },
})

function isUndecided(stack: Stack): boolean {
  return stack.vault.stagedNames().length > 0 || handedOver(stack.paths).length > 0
}
