import { describe, expect, it } from 'vitest'
import {
  generatePassword,
  generateToken,
  hashPassword,
  passwordBytesMax,
  secretsEqual,
  verifyPassword,
} from './index.ts'

describe('hash and verify', () => {
  it('accepts the password that was hashed and no other', async () => {
    const phc = await hashPassword(`quo"te's $pace ü`)
    expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await verifyPassword(phc, `quo"te's $pace ü`)).toBe(true)
    expect(await verifyPassword(phc, `quo"te's $pace u`)).toBe(false)
  })

  it('salts: the same password hashes differently', async () => {
    expect(await hashPassword('same')).not.toBe(await hashPassword('same'))
  })

  it('reads the cost from the hash, so older hashes stay valid', async () => {
    // From the tests of the reference implementation: password `password`, salt `somesalt`.
    const phc = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await verifyPassword(phc, 'password')).toBe(true)
    expect(await verifyPassword(phc, 'Password')).toBe(false)
  })

  it('refuses what is too long to hash, and calls it wrong when verifying', async () => {
    const long = 'x'.repeat(passwordBytesMax + 1)
    await expect(hashPassword(long)).rejects.toThrow(RangeError)
    expect(await verifyPassword(await hashPassword('x'), long)).toBe(false)
  })
})

describe('generate', () => {
  it('makes passwords without look-alikes that start with a letter', () => {
    for (let round = 0; round < 200; round++) expect(generatePassword()).toMatch(/^[A-Za-z][A-Za-z2-9]{23}$/)
    expect(Array.from({ length: 200 }, () => generatePassword()).join('')).not.toMatch(/[0O1lI]/)
  })

  it('never repeats', () => {
    expect(new Set(Array.from({ length: 500 }, () => generateToken())).size).toBe(500)
    expect(generateToken(32)).toMatch(/^[\w-]{43}$/)
  })
})

describe('compare', () => {
  it('tells equal from different, also in length', () => {
    expect(secretsEqual('abc', 'abc')).toBe(true)
    expect(secretsEqual('abc', 'abd')).toBe(false)
    expect(secretsEqual('', 'abc')).toBe(false)
    expect(secretsEqual('abcd', 'abc')).toBe(false)
  })
})
