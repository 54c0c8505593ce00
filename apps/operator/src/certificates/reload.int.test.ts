import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { leafFilesOf } from '../places/paths.ts'
import type { PartStatus, Runtime } from '../runtimes/runtime.ts'
import { certificates } from '../steps/certificates.ts'
import { runStep, testStack } from '../testing/test-stack.ts'
import { reloadCertificates } from './reload.ts'

let test: ReturnType<typeof testStack>
let server: Server | undefined
beforeEach(() => {
  test = testStack()
})
afterEach(() => {
  server?.close()
  test.remove()
})

it('a part whose old certificate keeps it from becoming ready is restarted, not waited for', async () => {
  await runStep(certificates, test.stack)
  const leaf = (part: 'search' | 'alerter') => {
    const { cert, key } = leafFilesOf(test.stack.paths, part)
    return { cert: readFileSync(cert), key: readFileSync(key) }
  }
  // It shows what it read at its start, which is another one than lies in its file now.
  const shown = createServer(leaf('alerter'))
  server = shown
  await new Promise<void>((resolve) => shown.listen(0, '127.0.0.1', resolve))
  const { port } = shown.address() as AddressInfo
  const orders: string[] = []
  const search: PartStatus = {
    ...{ part: 'search', name: 'logstack-search', state: 'running', statusText: 'Up', health: 'starting' },
    ready: false,
  }
  const runtime: Partial<Runtime> = {
    kind: 'process',
    list: async () => [{ ...search, ready: orders.includes('restart search') }],
    reload: async (part) => void orders.push(`reload ${part}`),
    restart: async (part) => {
      orders.push(`restart ${part}`)
      shown.setSecureContext(leaf('search'))
    },
  }
  const stack = {
    ...test.stack,
    runtime: runtime as Runtime,
    ports: { ...test.stack.ports, of: (wanted: number) => (wanted === 9200 ? port : wanted) },
  }
  expect(await reloadCertificates(stack, ['search'])).toEqual({ reloaded: [], restarted: ['search'] })
  expect(orders).toEqual(['restart search'])
})
