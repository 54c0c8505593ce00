import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { containerName, parts } from '@logstack/contracts'
import { httpsProbe } from '@logstack/part'
import { createAuthority, inspectCertificate, issueServerCertificate } from '@logstack/pki'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { authorityCertificateFile } from '../certificates/authority.ts'
import { hostsOf, leafProblem } from '../certificates/leafs.ts'
import { leafFilesOf } from '../places/paths.ts'
import { runStep, testStack } from '../testing/test-stack.ts'
import { certificates } from './certificates.ts'

let test: ReturnType<typeof testStack>
beforeEach(() => {
  test = testStack()
})
afterEach(() => test.remove())

const modeOf = (path: string): number => statSync(path).mode & 0o777
const leafOf = (part: (typeof parts)[number]): string => readFileSync(leafFilesOf(test.stack.paths, part).cert, 'utf8')

it('cover every name and address of the host, for two years, and leave no key beside the authority', async () => {
  const { stack } = test
  expect(await runStep(certificates, stack)).toBe(true)
  expect(await runStep(certificates, stack)).toBe(false)
  for (const part of parts) {
    const facts = inspectCertificate(leafOf(part))
    expect(facts.notAfter.getTime()).toBeGreaterThan(Date.now() + 729 * 86_400_000)
    expect(facts.notBefore.getTime()).toBeLessThan(Date.now() - 86_000_000)
    expect(facts.dnsNames).toContain(containerName(part))
    expect(modeOf(leafFilesOf(stack.paths, part).key)).toBe(0o600)
  }
  expect(hostsOf(stack)).toEqual(expect.arrayContaining(['127.0.0.1', ...parts.map(containerName)]))
  expect(modeOf(stack.paths.caFile)).toBe(0o644)
  expect(existsSync(stack.paths.caFile.replace('.crt', '.key'))).toBe(false)
  expect(modeOf(stack.paths.authorityKeyFile)).toBe(0o600)
})

it('are renewed under the same authority: when an address is new, when they end soon or begin later, when a key does not fit', async () => {
  const { stack } = test
  await runStep(certificates, stack)
  const authority = readFileSync(stack.paths.caFile, 'utf8')
  const moved = test.reopen({ ipvar: '192.0.2.77' })
  expect(leafProblem(moved, 'search', authority)).toBe('does not cover 192.0.2.77')
  expect(await runStep(certificates, moved)).toBe(true)
  expect(inspectCertificate(leafOf('search')).addresses).toContain('192.0.2.77')
  const key = readFileSync(stack.paths.authorityKeyFile, 'utf8')
  const old = new Date(Date.now() - 2 * 365 * 86_400_000 + 20 * 86_400_000)
  const ending = await issueServerCertificate(
    { cert: authority, key },
    { commonName: 'x', hosts: hostsOf(moved), now: old },
  )
  writeFileSync(leafFilesOf(stack.paths, 'search').cert, ending.cert)
  writeFileSync(leafFilesOf(stack.paths, 'search').key, ending.key)
  writeFileSync(leafFilesOf(stack.paths, 'dashboard').key, ending.key)
  const later = new Date(Date.now() + 365 * 86_400_000)
  const ofFuture = await issueServerCertificate(
    { cert: authority, key },
    { commonName: 'x', hosts: hostsOf(moved), now: later },
  )
  writeFileSync(leafFilesOf(stack.paths, 'agent-server').cert, ofFuture.cert)
  writeFileSync(leafFilesOf(stack.paths, 'agent-server').key, ofFuture.key)
  const alerter = leafOf('alerter')
  expect(leafProblem(moved, 'search', authority)).toMatch(/^expires on /)
  expect(leafProblem(moved, 'dashboard', authority)).toBe('does not fit its key')
  expect(leafProblem(moved, 'agent-server', authority)).toMatch(/^is not valid before /)
  vi.spyOn(Date, 'now').mockReturnValue(0)
  expect(leafProblem(moved, 'agent-server', authority)).toBeUndefined()
  vi.restoreAllMocks()
  expect(await runStep(certificates, moved)).toBe(true)
  expect(readFileSync(stack.paths.caFile, 'utf8')).toBe(authority)
  expect(leafOf('alerter'), 'a certificate that was right stays').toBe(alerter)
  expect(leafProblem(moved, 'search', authority)).toBeUndefined()
})

it('are made anew when signed by a foreign authority, and copies of the authority are mended', async () => {
  const { stack } = test
  await runStep(certificates, stack)
  const foreign = await issueServerCertificate(await createAuthority(), { commonName: 'x', hosts: hostsOf(stack) })
  writeFileSync(leafFilesOf(stack.paths, 'search').cert, foreign.cert)
  writeFileSync(leafFilesOf(stack.paths, 'search').key, foreign.key)
  const authority = readFileSync(stack.paths.caFile, 'utf8')
  rmSync(stack.paths.caFile)
  expect(await runStep(certificates, stack)).toBe(true)
  expect(readFileSync(stack.paths.caFile, 'utf8')).toBe(authority)
  expect(leafProblem(stack, 'search', authority)).toBeUndefined()
})

it('are never signed by another authority while half of the one of before is left', async () => {
  const { stack } = test
  await runStep(certificates, stack)
  const { authorityKeyFile, caFile } = stack.paths
  const certFile = authorityCertificateFile(stack.paths)
  const [key, cert] = [readFileSync(authorityKeyFile, 'utf8'), readFileSync(certFile, 'utf8')]
  rmSync(certFile)
  expect(await runStep(certificates, stack)).toBe(true)
  expect(readFileSync(certFile, 'utf8')).toBe(cert)
  for (const lose of [
    () => rmSync(authorityKeyFile),
    () => {
      writeFileSync(authorityKeyFile, key)
      rmSync(certFile)
      writeFileSync(caFile, 'no certificate')
    },
  ]) {
    lose()
    await expect(certificates.apply(stack, { waiting: () => undefined })).rejects.toMatchObject({
      code: 'authority_lost',
      fix: expect.stringContaining('from a backup'),
    })
  }
  expect(readFileSync(authorityKeyFile, 'utf8')).toBe(key)
  expect(leafProblem(stack, 'search', cert)).toBeUndefined()
})

it('serve a probe that trusts the authority file, and no other', async () => {
  const { stack } = test
  await runStep(certificates, stack)
  const { cert, key } = leafFilesOf(stack.paths, 'search')
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
    response.statusCode = request.url === '/ok' ? 200 : 503
    response.end('not yet')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const probe = httpsProbe(stack.paths.caFile)
  expect(await probe(`${url}/ok`, 5_000)).toBeUndefined()
  expect(await probe(`${url}/bad`, 5_000)).toBe(`${url}/bad answers 503: not yet`)
  const other = join(stack.paths.root, 'other.crt')
  writeFileSync(other, (await createAuthority()).cert)
  expect(await httpsProbe(other)(`${url}/ok`, 5_000)).toContain('certificate')
  expect(await httpsProbe('/nonexistent')(`${url}/ok`, 5_000)).toContain('ENOENT')
  server.close()
  server.closeAllConnections()
})
