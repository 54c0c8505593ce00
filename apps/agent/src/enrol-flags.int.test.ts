import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@logstack/testkit'
import { afterAll, expect, test } from 'vitest'
import { authorityOf, tokenOf } from './enrol-flags.ts'

const temporary = tempDir('logstack-enrol')
const folder = temporary.path
afterAll(() => temporary.remove())

const flags = { data: folder, url: 'https://127.0.0.1' }
const token = Buffer.from(`${randomBytes(15).toString('base64url')}:${randomBytes(32).toString('base64url')}`).toString(
  'base64',
)
const file = join(folder, 'token')

function given(text: string): () => string {
  writeFileSync(file, text)
  return () => tokenOf({ ...flags, tokenFile: file }, {})
}

test('a token as agent-server made it is taken from a file, the environment or the command line', () => {
  expect(given(`${token}\n`)()).toBe(token)
  expect(tokenOf(flags, { LOGSTACK_ENROLMENT_TOKEN: token })).toBe(token)
  expect(tokenOf({ ...flags, token }, {})).toBe(token)
})

test.each([
  ['cut off', token.slice(0, -1), 'is not whole'],
  ['cut off where base64 stays base64', token.slice(0, -4), 'is not whole'],
  ['without its beginning', token.slice(1), 'is not whole'],
  ['with more behind it', `${token}x`, 'has characters that no token has'],
  ['in capitals', token.toUpperCase(), 'is not whole'],
  ['broken into two lines', `${token.slice(0, 20)}\n${token.slice(20)}`, 'has a space or a line break in it'],
  ['of other bytes', '\u0000\u0001\u0002', 'has characters that no token has'],
  ['that is none', '', 'no enrolment token was given'],
])('a token %s is told as such', (_what, text, problem) => {
  expect(given(text)).toThrow(
    expect.objectContaining({ code: 'enrolment_token_invalid', message: expect.stringContaining(problem) }),
  )
})

test('a file that cannot be read is told with its option and what it shall hold', () => {
  const none = join(folder, 'none')
  expect(() => tokenOf({ ...flags, tokenFile: none }, {})).toThrow(
    expect.objectContaining({
      code: 'agent_file_unusable',
      message: `--token-file: there is no ${none}`,
      fix: expect.stringContaining('with the enrolment token'),
    }),
  )
  mkdirSync(join(folder, 'folder'))
  const ca = join(folder, 'folder')
  expect(() => authorityOf({ ...flags, ca })).toThrow(
    expect.objectContaining({
      message: `--ca: ${ca} is a folder, not a file`,
      fix: expect.stringContaining('root-ca.crt'),
    }),
  )
})

test('a file without a certificate is no authority', () => {
  const ca = join(folder, 'words')
  writeFileSync(ca, 'words')
  expect(() => authorityOf({ ...flags, ca })).toThrow(
    expect.objectContaining({ code: 'server_untrusted', message: `--ca: ${ca} holds no certificate (PEM)` }),
  )
  expect(authorityOf({ ...flags, caFingerprint: 'ab' })).toEqual({ fingerprint: 'ab' })
})
