import { expect, test } from 'vitest'
import { systemSentence } from './system-sentence.ts'

const errorOf = (code: string, rest: object) =>
  Object.assign(new Error(`${code}: as the system says it`), { code, ...rest })

test('what the system says of a file is told with its path', () => {
  expect(systemSentence(errorOf('ENOENT', { path: '/none' }))).toBe('there is no /none')
  expect(systemSentence(errorOf('EACCES', { path: '/x' }))).toBe('/x is closed to the user who runs this')
  // Opening a folder is no error of the system, reading it is, and has no path.
  expect(systemSentence(errorOf('EISDIR', {}))).toBe('it is a folder, not a file')
})

test('what the system says of a connection is told with the place, of several addresses the last one', () => {
  const refused = (address: string) => errorOf('ECONNREFUSED', { address, port: 1 })
  expect(systemSentence(refused('::1'))).toBe('nothing listens at ::1 port 1')
  expect(systemSentence(new AggregateError([refused('::1'), refused('127.0.0.1')]))).toBe(
    'nothing listens at 127.0.0.1 port 1',
  )
  expect(systemSentence(errorOf('ENOTFOUND', { hostname: 'x' }))).toBe('nobody knows the name x')
})

test('every other error is left to its own words', () => {
  for (const thrown of [new Error('words'), errorOf('ERR_X', {}), 'ENOENT', undefined])
    expect(systemSentence(thrown)).toBeUndefined()
})
