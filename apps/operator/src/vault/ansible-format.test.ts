import { describe, expect, it } from 'vitest'
import { decryptVault, encryptVault } from './ansible-format.ts'

// Made by `ansible-vault encrypt --vault-password-file` of ansible-core with the key and the text below.
const key = 'key-for-tests'
const plain = `pa$$ "quo'ted" ünicode`
const vector = `$ANSIBLE_VAULT;1.1;AES256
64376136326366313836393436306361303331373730376337666361363262316436306534633763
3131383633373263653765316430343163353333643135370a313961373639373662646135656366
31313439316532643263326136363833306535383136373861313730626636363538373136343231
6364343062386662360a373430346238373732396666373034316131623461616534653030326431
61623666373961383938373561366131303962353737633964396261393439383531
`
const salt = Buffer.from('d7a62cf1869460ca0317707c7fca62b1d60e4c7c1186372ce7e1d041c533d157', 'hex')

describe('vault format', () => {
  it('reads what ansible-vault wrote', () => {
    expect(decryptVault(vector, key)).toBe(plain)
  })

  it('writes, with the same salt, the very bytes ansible-vault wrote', () => {
    expect(encryptVault(plain, key, salt)).toBe(vector)
  })

  it.each(['', 'x', 'exactly sixteen!', 'two\nlines\n', '\u{1f600}'.repeat(50)])('gives back %j', (text) => {
    expect(decryptVault(encryptVault(text, 'k'), 'k')).toBe(text)
  })

  it('tells a wrong key, a changed file and a foreign file apart from a secret', () => {
    expect(() => decryptVault(vector, 'another key')).toThrow('the key does not fit')
    expect(() => decryptVault(vector.replace(/531\n$/, '532\n'), key)).toThrow('the key does not fit')
    expect(() => decryptVault('plain text', key)).toThrow('not a vault file')
    expect(() => decryptVault('$ANSIBLE_VAULT;1.1;AES256\n6162', key)).toThrow('damaged')
  })
})
