import { describe, expect, it } from 'vitest'
import { openLogs } from './functions.fixture.ts'

const rows = openLogs()
const ofA = '0cc175b9c0f1b6a831c399e269772661'

const ofConstants = [
  ['md5("a")', ofA],
  ['hash("md5", "a")', ofA],
  ['hash("SHA", "é")', 'bf15be717ac1b080b4f1c456692825891ff5073d'],
  ['sha1("a")', '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'],
  ['sha256("")', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['md5(null)', null],
  ['cidr_match("2001:db8::5", "2001:db8::/32")', true],
  ['cidr_match("10.0.0.1", ["11.0.0.0/8", "10.0.0.0/8"])', true],
  ['cidr_match(null, "10.0.0.0/8")', null],
  ['network_direction("10.0.0.1", "1.1.1.1", "private")', 'outbound'],
  ['network_direction("1.1.1.1", "10.0.0.1", ["10.0.0.0/8", "loopback"])', 'inbound'],
  ['network_direction("127.0.0.1", "10.0.0.1", ["private", "loopback"])', 'internal'],
  ['network_direction("2001:db8::1", "1.1.1.1", "private")', 'external'],
  ['network_direction("2001:db8::1", "10.0.0.1", "public")', 'outbound'],
  ['network_direction(null, "10.0.0.1", "public")', null],
  ['ip_prefix("2001:db8::1", 0, 32)', '2001:db8::'],
] as const

const ofColumns = [
  ['md5(s)', [ofA, null, null, 'd41d8cd98f00b204e9800998ecf8427e']],
  ['hash(case(n == 1, "MD5", "x"), s)', [ofA, null, null, null]],
  ['cidr_match(ip, "10.0.0.0/8")', [true, null, null, false]],
  ['cidr_match(ip, "10.0.0.0/8", "192.168.0.0/16")', [true, null, null, true]],
  ['cidr_match(ip, "10.0.0.1")', [true, null, null, false]],
  ['cidr_match(ip, concat("10.0.0.0", "/8"))', [true, null, null, false]],
  ['cidr_match(ip, concat(s, "10.0.0.0/8"))', [false, null, null, false]],
  ['network_direction(ip, "8.8.8.8", "10.0.0.0/8")', ['outbound', null, null, 'external']],
  ['ip_prefix(ip, 24, 64)', ['10.0.0.0', null, null, '192.168.1.0']],
  ['ip_prefix(ip, l, 64)', ['10.0.0.0', null, null, null]],
] as const

const refused = [
  ['hash("nope", s)', 'invalid algorithm for [hash("nope", s)]: nope MessageDigest not available'],
  ['md5(n)', 'argument of [md5(n)] must be [string], found value [n] type [integer]'],
  ['cidr_match(ip, "10.0.0.0/99")', 'invalid CIDR [10.0.0.0/99]'],
  [
    'cidr_match("abc", "10.0.0.0/8")',
    "Cannot convert string [abc] to [IP], error ['abc' is not an IP string literal.]",
  ],
  ['cidr_match(n, "10.0.0.0/8")', 'first argument of [cidr_match(n, "10.0.0.0/8")] must be [ip], found value [n]'],
  ['network_direction(ip, ip, "10.0.0.0/99")', 'invalid CIDR [10.0.0.0/99]'],
] as const

describe('functions of hashes and addresses', () => {
  it.each(ofConstants)('%s', async (text, expected) => {
    expect(await rows(`ROW x = ${text}`)).toEqual([[expected]])
  })

  it.each(ofColumns)('%s of columns', async (text, expected) => {
    expect((await rows(`FROM logs | EVAL x = ${text} | SORT n | KEEP x`)).map(([x]) => x)).toEqual(expected)
  })

  it.each(refused)('refuses %s', async (text, reason) => {
    await expect(rows(`FROM logs | EVAL x = ${text}`)).rejects.toThrow(reason)
  })
})
