import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically } from '../places/write-file.ts'
import { loadDefinitions } from '../quadlet/load.ts'
import type { Stack } from '../stack.ts'
import { unproven } from '../telling/unproven.ts'
import { defineStep, findingOf } from './define-step.ts'

const shippedAdmin = 'elastic'

/** Where the administrator is not called as the shipped definition says, a drop-in gives search the other name and secret. */
export const adminDropIn = defineStep({
  name: 'admin-drop-in',
  title: "administrator's name",
  async diagnose(stack) {
    return findingOf(isRight(stack) ? [] : [`write ${fileOf(stack)}`])
  },
  async apply(stack) {
    const text = textFor(stack)
    if (text === undefined) rmSync(fileOf(stack), { force: true })
    else writeFileAtomically(fileOf(stack), text)
  },
  async prove(stack) {
    const { adminUser } = stack.choices
    const search = loadDefinitions(stack.paths).get('search')
    if (!search?.secrets.includes(adminUser) || search.environment['LOGSTACK_ADMIN_USER'] !== adminUser) {
      throw unproven(
        `the definition of search does not name the administrator ${adminUser}`,
        'see quadlet/logstack-search.container',
      )
    }
  },
})

function fileOf({ paths }: Stack): string {
  return join(paths.dropInDir, 'logstack-search.container.d', '10-admin-user.conf')
}

function textFor({ choices: { adminUser } }: Stack): string | undefined {
  if (adminUser === shippedAdmin) return undefined
  return `[Container]\nEnvironment=LOGSTACK_ADMIN_USER=${adminUser}\n[X-Logstack]\n# The empty line forgets the shipped secret.\nSecret=\nSecret=${adminUser}\n`
}

function isRight(stack: Stack): boolean {
  const file = fileOf(stack)
  const current = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  return current === textFor(stack)
}
