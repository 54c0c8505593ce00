import { expect, it } from 'vitest'
import { createSealingKeys, openSealed, seal } from './index.ts'

const keys = createSealingKeys()

it('is opened by the owner of the private key only, and never twice the same', () => {
  const text = `pass'"wörd $x \u{1F511}`
  const sealed = seal(text, keys.publicKey)
  expect(openSealed(sealed, keys.privateKey)).toBe(text)
  expect(Buffer.from(sealed, 'base64').includes(Buffer.from(text))).toBe(false)
  expect(seal(text, keys.publicKey)).not.toBe(sealed)
  expect(() => openSealed(sealed, createSealingKeys().privateKey)).toThrow()
})

it('tells when a single byte was changed', () => {
  const sealed = Buffer.from(seal('secret', keys.publicKey), 'base64')
  for (const at of [sealed.length - 1, sealed.length - 10, 50]) {
    const damaged = Buffer.from(sealed)
    damaged[at] = (damaged[at] ?? 0) ^ 1
    expect(() => openSealed(damaged.toString('base64'), keys.privateKey)).toThrow()
  }
})
