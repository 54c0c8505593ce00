import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { bootHost, whyNoHost } from './debian-host.ts'

test.skipIf(whyNoHost())(
  'a host ends whole, though what holds its container was killed',
  { timeout: 300_000 },
  async () => {
    const host = await bootHost('killed')
    const leader = `/proc/${host.leader()}`
    onTestFinished(() => host.down())
    const isThere = (path: string): boolean => existsSync(`${path}/root/etc`)
    process.kill(host.holder(), 'SIGKILL')
    await expect.poll(() => existsSync(`/proc/${host.holder()}`)).toBe(false)
    expect(isThere(leader)).toBe(true)
    await host.down()
    expect(isThere(leader)).toBe(false)
  },
)
