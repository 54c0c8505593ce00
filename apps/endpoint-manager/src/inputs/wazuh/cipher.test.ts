import { describe, expect, it } from 'vitest'
import { cipherKey, openMessage, sealMessage } from './cipher.ts'

const cipher = cipherKey('0123456789abcdef'.repeat(4))

describe('messages of agents', () => {
  it('are encrypted with a key made of the digits of sums', () => {
    expect(cipher.toString()).toBe('fe3a1ff59f3b89b2ad3d33f08984874b')
  })

  it.each(['a', '#!-agent ack ', '1:/var/log/auth.log:é', 'x'.repeat(65_000)])(
    'are opened as they were sealed',
    (text) => {
      const counters = { global: 7, local: 9_996 }
      for (const counted of [9_997, 1, 2]) {
        const sealed = sealMessage(Buffer.from(text), cipher, counters)
        expect(openMessage(sealed, cipher).toString()).toBe(text)
        expect(counters.local).toBe(counted)
      }
      expect(counters.global).toBe(8)
    },
  )

  // Frames that an agent 4.14.7 sent, without their length and `!001!`.
  it.each([
    [
      '#!-agent startup {"version":"v4.14.7"}',
      '234145533ae4ce87f50f9afcca5da5f4d0b4f1bcc43d6e80b6eececbcb481acd423406d5fa690666e1dfbd7c0ee2d6a0bce72f2a4405c043015ed9f9d49c9d6ebc9f6d28ed97650fb28ccd077dfd65c963e1e9d26512820987ab6726489f4a57cb9f63632e',
    ],
    [
      'x:unknown:thing',
      '234145533afb469504949a35ec2b6b00c9ea4a3f7b416de75324a8674c358b47a3937cb25eb8d2a0997a649e66bdef3480842dec31e24d0a9cbeaca5c55f729d783ced57c6d130e0dded260a254c3cc89afd87a549',
    ],
  ])('of a real agent are opened: %s', (text, sealed) => {
    const real = cipherKey('00112233445566778899aabbccddeeff'.repeat(2))
    expect(openMessage(Buffer.from(sealed, 'hex'), real).toString()).toBe(text)
  })

  it('are refused when they were sealed with another key, changed, cut, or not sealed at all', () => {
    const sealed = sealMessage(Buffer.from('hello'), cipher, { global: 0, local: 0 })
    const other = cipherKey('another key')
    expect(() => openMessage(sealed, other)).toThrow()
    expect(() => openMessage(sealed.subarray(0, -16), cipher)).toThrow()
    expect(() => openMessage(Buffer.from('#AES:'), cipher)).toThrow()
    expect(() => openMessage(Buffer.from(':blowfish'), cipher)).toThrow('not encrypted with AES')
    // What follows the packed message may be anything: that changes nothing of it.
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(['refused', 'hello'], `byte ${at}`).toContain(opened(changed))
    }
    expect(opened(Buffer.concat([sealed.subarray(0, 40), sealed]))).toBe('refused')
  })
})

function opened(sealed: Buffer): string {
  try {
    return openMessage(sealed, cipher).toString()
  } catch {
    return 'refused'
  }
}
