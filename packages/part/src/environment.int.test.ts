import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readCertificates, readPartEnvironment, readSecret } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'logstack-part-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const variables = { LOGSTACK_DATA_DIR: '/d', LOGSTACK_CERTS_DIR: folder, LOGSTACK_SECRETS_DIR: folder }

test('a part learns where it runs from its variables, and says which one is missing', () => {
  const environment = readPartEnvironment({ ...variables, LOGSTACK_LISTEN: '[::1]:9200', IPVAR: '192.0.2.1' })
  expect(environment).toMatchObject({ listen: { host: '::1', port: 9200 }, dataDir: '/d', ipvar: '192.0.2.1' })
  expect(readPartEnvironment(variables).listen).toBeUndefined()
  expect(() => readPartEnvironment({})).toThrow('LOGSTACK_DATA_DIR is not set')
  expect(() => readPartEnvironment({ ...variables, LOGSTACK_LISTEN: '9200' })).toThrow('expected host:port')
})

test('a secret is its file without the final newline; an absent one is named', () => {
  writeFileSync(join(folder, 'elastic'), ' a b$\n')
  expect(readSecret({ secretsDir: folder }, 'elastic')).toBe(' a b$')
  expect(() => readSecret({ secretsDir: folder }, 'other')).toThrow('cannot read secret other')
})

test('certificates are those of the part', () => {
  for (const name of ['root-ca.crt', 'search.crt', 'search.key']) writeFileSync(join(folder, name), name)
  const expected = { ca: 'root-ca.crt', searchCa: 'root-ca.crt', cert: 'search.crt', key: 'search.key' }
  expect(readCertificates({ certsDir: folder }, 'search')).toEqual(expected)
  expect(() => readCertificates({ certsDir: folder }, 'alerter')).toThrow('alerter.crt')
  for (const name of ['search.imported.crt', 'search.imported.key']) writeFileSync(join(folder, name), name)
  const imported = { cert: 'search.imported.crt', key: 'search.imported.key' }
  expect(readCertificates({ certsDir: folder }, 'search')).toEqual({ ...expected, imported })
})
