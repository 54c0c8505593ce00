import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createAuthority } from '@logstack/pki'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { agentsAuthorityFile, authorityCertificateFile, settleAuthority } from '../../certificates/authority.ts'
import type { DoctorContext } from '../../doctor/define-fault.ts'
import { testStack } from '../../testing/test-stack.ts'
import { certificateAuthority } from './certificate-authority.ts'

const dayMs = 86_400_000
let test: ReturnType<typeof testStack>
beforeEach(() => {
  test = testStack()
})
afterEach(() => test.remove())

async function madeAt(daysAgo: number): Promise<{ cert: string; key: string }> {
  return createAuthority({ now: new Date(Date.now() - daysAgo * dayMs) })
}

it('is told half a year before it ends, as every agent must be visited, and when it begins later than now', async () => {
  const { stack } = test
  await settleAuthority(stack.paths)
  const look = async () => certificateAuthority.diagnose({ stack } as unknown as DoctorContext)
  expect(await look()).toMatchObject({ status: 'healthy' })
  const put = ({ cert, key }: { cert: string; key: string }): void => {
    writeFileSync(authorityCertificateFile(stack.paths), cert)
    writeFileSync(stack.paths.authorityKeyFile, key)
  }
  put(await madeAt(3500))
  expect(await look()).toMatchObject({ status: 'information', detail: expect.stringMatching(/^ends on \d{4}-/) })
  put(await madeAt(3700))
  expect(await look()).toMatchObject({ status: 'fault', problem: expect.stringMatching(/expired on/) })
  put(await madeAt(-365))
  expect(await look()).toMatchObject({ status: 'fault', problem: expect.stringMatching(/is not valid before/) })
  put(await madeAt(0))
  mkdirSync(dirname(agentsAuthorityFile(stack.paths)), { recursive: true })
  writeFileSync(agentsAuthorityFile(stack.paths), (await madeAt(3500)).cert)
  expect(await look()).toMatchObject({ status: 'information' })
})
