import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '@logstack/logging'
import { createLogger } from '@logstack/logging'
import { afterEach, expect, test } from 'vitest'
import { writeMmdb } from '../testing/write-mmdb.ts'
import { createGeoDatabases, type GeoDatabases } from './databases.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

interface Folder {
  readonly path: string
  readonly databases: GeoDatabases
  readonly warnings: unknown[]
  /** Lets time pass, so that files are looked at again. */
  wait(): void
}

function openFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'logstack-geoip-'))
  folders.push(path)
  const warnings: unknown[] = []
  let atMs = 0
  const silent = createLogger('test', 'silent')
  const logger = Object.assign(Object.create(silent), { warn: (told: unknown) => warnings.push(told) }) as Logger
  const databases = createGeoDatabases({ directory: path, now: () => atMs, logger, checkEveryMs: 10 })
  return { path, databases, warnings, wait: () => (atMs += 10) }
}

const asn = (organization: string) =>
  writeMmdb({
    type: 'GeoLite2-ASN',
    networks: { '192.0.2.0/24': { autonomous_system_organization: organization }, '2001:db8::/32': { six: true } },
  })

test('records are found by their networks', () => {
  const { path, databases } = openFolder()
  writeFileSync(join(path, 'a.mmdb'), asn('one'))
  const database = databases.find('a.mmdb')
  expect(database).toMatchObject({ type: 'GeoLite2-ASN', kind: 'asn' })
  expect(database?.lookup('192.0.2.200')).toEqual({
    record: { autonomous_system_organization: 'one' },
    prefixBits: 24,
  })
  expect(database?.lookup('2001:db8::1')).toEqual({ record: { six: true }, prefixBits: 32 })
  expect(database?.lookup('192.0.3.1')).toBeUndefined()
  expect(databases.find('b.mmdb')).toBeUndefined()
})

test.each([
  ['GeoIP2-City', 'city'],
  ['DBIP-ASN-Lite (compat=GeoLite2-ASN)', 'asn'],
  ['GeoLite2-Country', 'country'],
  ['GeoIP2-Domain', undefined],
])('%s is of the kind %s', (type, kind) => {
  const { path, databases } = openFolder()
  writeFileSync(join(path, 'a.mmdb'), writeMmdb({ type, networks: { '192.0.2.0/24': {} } }))
  expect(databases.find('a.mmdb')?.kind).toBe(kind)
})

test('a file is read again when it changes, and gone when it is', () => {
  const { path, databases, wait } = openFolder()
  const file = join(path, 'a.mmdb')
  const organization = () => databases.find('a.mmdb')?.lookup('192.0.2.1')?.record
  expect(databases.find('a.mmdb')).toBeUndefined()
  writeFileSync(file, asn('one'))
  expect(organization(), 'not looked at yet').toBeUndefined()
  wait()
  expect(organization()).toEqual({ autonomous_system_organization: 'one' })
  const opened = databases.find('a.mmdb')
  wait()
  expect(databases.find('a.mmdb'), 'unchanged').toBe(opened)
  writeFileSync(file, asn('two'))
  utimesSync(file, 1, 1)
  wait()
  expect(organization()).toEqual({ autonomous_system_organization: 'two' })
  rmSync(file)
  wait()
  expect(databases.find('a.mmdb')).toBeUndefined()
})

test.each([
  ['text', Buffer.from('<html>no database</html>')],
  ['empty', Buffer.alloc(0)],
  ['without its tree', asn('one').subarray(-400)],
  ['of metadata only', Buffer.from('abcdef4d61784d696e642e636f6de0', 'hex')],
])('a file that is no database (%s) is told of once and not read again until it changes', (_what, bytes) => {
  const { path, databases, warnings, wait } = openFolder()
  writeFileSync(join(path, 'a.mmdb'), bytes)
  for (let round = 0; round < 3; round++) {
    databases.find('a.mmdb')?.lookup('192.0.2.1')
    expect(databases.find('a.mmdb')).toBeUndefined()
    wait()
  }
  expect(warnings).toHaveLength(1)
  writeFileSync(join(path, 'a.mmdb'), asn('mended'))
  wait()
  expect(databases.find('a.mmdb')?.lookup('192.0.2.1')).toBeDefined()
})

test('a folder in the place of a file is no database', () => {
  const { databases, warnings } = openFolder()
  expect(databases.find('.')).toBeUndefined()
  expect(warnings).toHaveLength(1)
})
