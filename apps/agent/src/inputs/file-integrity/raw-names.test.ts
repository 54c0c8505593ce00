import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nameOf, onDisk, shownPath } from './raw-names.ts'

const bytesOf = (path: string | Buffer): Buffer => (typeof path === 'string' ? Buffer.from(path) : path)

it('gives every name back as it is on disk, and no two names the same text', () => {
  const name = fc.uint8Array({ min: 1, max: 255, minLength: 1, maxLength: 12 }).filter((bytes) => !bytes.includes(47))
  fc.assert(
    fc.property(name, fc.string({ unit: 'binary' }), (bytes, folder) => {
      const text = nameOf(Buffer.from(bytes))
      const above = String(Buffer.from(folder)).replaceAll('\0', '')
      expect(bytesOf(onDisk(`${above}/${text}`))).toEqual(Buffer.concat([Buffer.from(`${above}/`), bytes]))
    }),
  )
})

it('leaves names in UTF-8 alone, also those that hold the sign of what is none', () => {
  for (const name of ['plain', 'größe', '日本', '\ufffd', 'dev-disk-by\\x2duuid', 'a\\xff'])
    expect([nameOf(Buffer.from(name)), onDisk(name), shownPath(name)]).toEqual([name, name, name])
})

it('shows bytes as tools show them', () => {
  expect(shownPath(`/etc/${nameOf(Buffer.from('cron\xff', 'latin1'))}/caf${nameOf(Buffer.from([0xe9]))}`)).toBe(
    '/etc/cron\\xff/caf\\xe9',
  )
})
