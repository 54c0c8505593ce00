import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError, operatorErrors } from '@logstack/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stack } from '../stack.ts'
import { type StackOnSearch, stackOnSearch } from '../testing/stack-on-search.ts'
import { changePassword, settlePasswords } from './change-password.ts'
import { tryPassword } from './try-password.ts'

// The real search, and an operator that really ends.
const root = fileURLToPath(new URL('../../../..', import.meta.url))
const username = 'logstack_alerter'
let on: StackOnSearch
let stack: Stack
beforeAll(async () => {
  on = await stackOnSearch()
  stack = on.stack
})
afterAll(() => on.remove())

/** What is stored, that search accepts it, and that nothing is undecided. */
async function agreed(): Promise<string> {
  const stored = stack.vault.read(username)
  expect(await tryPassword(stack, username, stored)).toBe('accepted')
  expect(stack.vault.stagedNames()).toEqual([])
  return stored
}

async function killedOperator(point: string, password: string): Promise<void> {
  const program = fileURLToPath(new URL('./change-password.child.ts', import.meta.url))
  const argv = [
    join(root, 'tools/run-ts.mjs'),
    program,
    point,
    stack.paths.root,
    root,
    on.search.url,
    username,
    password,
  ]
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'inherit'] })
  expect(await once(child, 'exit'), point).toEqual([null, 'SIGKILL'])
}

describe('an operator that is killed', () => {
  it.each([
    ['noted', 'old'],
    ['changed in search', 'new'],
    ['stored', 'new'],
    ['proof by a login', 'new'],
    ['restart of alerter', 'new'],
  ])('when the password was %s leaves what settle ends: the %s one in both', async (point, holds) => {
    const before = await agreed()
    const wanted = `killed when ${point}`
    await killedOperator(point, wanted)
    await settlePasswords(stack)
    expect(await agreed()).toBe(holds === 'new' ? wanted : before)
    expect(await tryPassword(stack, username, holds === 'new' ? before : wanted)).toBe('refused')
  })
})

describe('what fails while a password changes', () => {
  it('a search that is killed once the password is stored: both agree when it is back', async () => {
    const commit = stack.vault.commitStaged.bind(stack.vault)
    let gone: Promise<void> | undefined
    stack.vault.commitStaged = (name) => {
      gone = on.search.kill()
      commit(name)
    }
    await expect(changePassword(stack, username, 'stored, then search was gone')).rejects.toMatchObject({
      code: 'password_undecided',
      fix: expect.stringContaining('password settle'),
    })
    stack.vault.commitStaged = commit
    await gone
    await on.search.restart()
    stack.clients.close()
    await settlePasswords(stack)
    expect(await agreed()).toBe('stored, then search was gone')
  })

  it('a secret that reads back differently: the old one holds in both', async () => {
    const before = await agreed()
    const read = stack.vault.read.bind(stack.vault)
    stack.vault.read = (name) =>
      name === username && read(name) === 'read back wrongly' ? 'something else' : read(name)
    await expect(changePassword(stack, username, 'read back wrongly')).rejects.toMatchObject({ code: 'step_unproven' })
    stack.vault.read = read
    expect(await agreed()).toBe(before)
  })

  it('a part that does not start again: both hold the new one, and the command says which part', async () => {
    const { restart } = stack.runtime
    stack.runtime.restart = async (part) => {
      throw new AppError(operatorErrors.part_failed, `logstack-${part} does not start`, { fix: 'read its log' })
    }
    await expect(changePassword(stack, username, 'the part stays down')).rejects.toThrow(
      'logstack-alerter does not start',
    )
    stack.runtime.restart = restart
    expect(await agreed()).toBe('the part stays down')
  })
})
