import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@logstack/testkit'
import { expect, test } from 'vitest'
import { obstacleIn } from './name-server.ts'

test("a host's file of name servers is there, missing, or a link that leads nowhere", () => {
  const temporary = tempDir('resolver')
  try {
    const file = join(temporary.path, 'resolv.conf')
    expect(obstacleIn(file)).toEqual({ link: undefined })
    symlinkSync('../run/stub-resolv.conf', file)
    expect(obstacleIn(file)).toEqual({ link: '../run/stub-resolv.conf' })
    const whole = join(temporary.path, 'whole')
    writeFileSync(whole, '')
    expect(obstacleIn(whole)).toBeUndefined()
  } finally {
    temporary.remove()
  }
})
