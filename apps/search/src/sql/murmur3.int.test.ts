import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestServices, type TestServices } from '../testing/search-services.ts'
import { murmur3 as murmur3OfBytes } from '../values/murmur3.ts'
import { idBytes, murmur3 } from './murmur3.ts'
import { list, sql, str } from './sql.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})
afterAll(() => services.close())

const texts = ['', 'a', 'ab', 'abc', 'abcd', 'hello, world', 'The quick brown fox jumps over the lazy dog', 'größer €']

it('hashes bytes as published', async () => {
  const rows = await services.engine.rows(
    sql`SELECT ${murmur3(sql`x`, 0)}, ${murmur3(sql`'hello'`, 0)}, ${murmur3(sql`''`, 1)} FROM (SELECT arrayJoin(${list(texts.map(str))}) AS x)`,
  )
  expect(rows.map(([hash]) => hash)).toEqual(texts.map((text) => murmur3OfBytes(Buffer.from(text))))
  expect(rows[0]?.slice(1)).toEqual([0x248bfa47, 0x514e28b7])
})

it('knows the bytes of ids: digits, base64 and all else', async () => {
  const ids = ['1', '42', 'cGxlYXNl', 'not base64', 'AQ', '_w']
  const rows = await services.engine.rows(
    sql`SELECT hex(${idBytes(sql`x`)}) FROM (SELECT arrayJoin(${list(ids.map(str))}) AS x)`,
  )
  expect(rows.flat()).toEqual(['FE1F', 'FE42', '706C65617365', 'FF6E6F7420626173653634', '01', 'FDFF'])
})
