import { describe, expect, it } from 'vitest'
import { readClientKeys } from './client-keys.ts'

const key = '0123456789abcdef'.repeat(4)

describe('client.keys', () => {
  it('is read with the sources that Wazuh knows, whatever its line ends', () => {
    const sources = ['any', '10.0.0.5', '10.0.0.0/8', '10.1.2.0/255.255.255.0', '0.0.0.0/0.0.0.0', '2001:db8::/32']
    const text = sources.map((source, at) => `${101 + at} pc-${at} ${source} ${key}`).join('\r\n')
    const { entries, refused, removed } = readClientKeys(`\uFEFF${text}\r\n\n`)
    expect([refused, removed]).toEqual([[], 0])
    expect(entries.map(({ ip }) => ip)).toEqual([
      'any',
      '10.0.0.5',
      '10.0.0.0/8',
      '10.1.2.0/24',
      '0.0.0.0/0',
      '2001:db8::/32',
    ])
    expect(entries[3]).toEqual({ line: 4, id: '104', name: 'pc-3', ip: '10.1.2.0/24', key })
  })

  it('leaves out what was removed from the old server, and comments', () => {
    const lines = [
      `001 !web any ${key}`,
      `002 #web any ${key}`,
      `#003 web any ${key}`,
      `!004 web any ${key}`,
      ' # note',
    ]
    expect(readClientKeys(lines.join('\n'))).toEqual({ entries: [], refused: [], removed: 5 })
  })

  it('says of each line that it does not take why, and quotes no key', () => {
    const lines = [
      '001 web',
      `000 server any ${key}`,
      `1 web any ${key}`,
      `${key} 001 web any`,
      `001 w any ${key}`,
      `001 web 10.0.0.256 ${key}`,
      `001 web 10.0.0.0/255.0.255.0 ${key}`,
      `001 web 10.0.0.0/33 ${key}`,
      '001 web any short',
      `001 web any ${key} more`,
      `001 web any ${key}`,
      `001 db any ${key}`,
      `002 web any ${key}`,
    ]
    const { entries, refused } = readClientKeys(lines.join('\n'))
    expect(entries.map(({ line }) => line)).toEqual([11])
    const address = 'agent 001, the address: expected any, an address or a network'
    expect(refused).toEqual([
      { line: 1, why: 'expected ID NAME IP KEY' },
      ...[2, 3, 4].map((line) => ({ line, why: 'the id: expected three to eight digits, not 000' })),
      { line: 5, why: 'agent 001, the name: expected 2 to 128 letters, digits, ., _ or -' },
      ...[6, 7, 8].map((line) => ({ line, why: address })),
      { line: 9, why: 'agent 001, the key: expected 8 to 256 printable characters' },
      { line: 10, why: 'expected ID NAME IP KEY' },
      { line: 12, why: 'id 001 stands on line 11 already' },
      { line: 13, why: 'name web stands on line 11 already' },
    ])
    expect(JSON.stringify(refused)).not.toContain(key.slice(0, 16))
  })

  it('takes any file for what it is', () => {
    for (const text of ['', '\n\n', '\u0000\u0001', '{"not": "keys"}', '\uFFFD'.repeat(1_000)])
      expect(readClientKeys(text).entries).toEqual([])
  })
})
