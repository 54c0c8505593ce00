import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { systemRefusal } from './system-refusal.ts'

const here = fileURLToPath(import.meta.url)
const refused = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: as the system says it`), { code, ...(path === undefined ? {} : { path }) })

test('a file of somebody else is told with its owner, and how to run as that one', () => {
  const { uid } = statSync(here)
  const owner = uid === 0 ? 'root' : `user ${uid}`
  for (const path of [here, `${here}/below/it`]) {
    expect(systemRefusal(refused('EACCES', path))).toMatchObject({
      code: 'file_forbidden',
      message: `${path} is ${owner}'s, and closed to who runs this`,
      fix: expect.stringMatching(new RegExp(`^put sudo.* to run it as ${owner}$`)),
    })
  }
})

test('a full disk is told with the check that shows what takes the room', () => {
  expect(systemRefusal(refused('ENOSPC'))).toMatchObject({
    code: 'disk_space_low',
    fix: './logstack doctor --repair --only disk-space',
  })
})

test('a file that is not there is told without the code of the system', () => {
  expect(systemRefusal(refused('ENOENT', here))).toMatchObject({
    code: 'file_unusable',
    message: `there is no ${here}`,
  })
})

test('everything else stays what it is', () => {
  expect(systemRefusal(refused('EBADF', here))).toBeUndefined()
  expect(systemRefusal(refused('EACCES'))).toBeUndefined()
  expect(systemRefusal('words')).toBeUndefined()
})
