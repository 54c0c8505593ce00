import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Observations } from '../../doctor/observations.ts'
import { testStack } from '../../testing/test-stack.ts'
import { refusedWrites } from './refused-writes.ts'

let on: ReturnType<typeof testStack>
beforeEach(() => {
  on = testStack()
})
afterEach(() => on.remove())

test('segments that search put aside are named with their size, others are its own affair', async () => {
  const { stack } = on
  const look = () => refusedWrites.diagnose({ stack, look: new Observations(stack) })
  expect(await look()).toMatchObject({ status: 'unknown' })
  const folder = join(stack.paths.volume('logstack_data_search'), 'segments')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '0001.native'), 'waits to be inserted')
  expect(await look()).toEqual({ status: 'healthy', detail: 'none' })
  writeFileSync(join(folder, '0002.native.refused'), 'kept')
  expect(await look()).toMatchObject({
    status: 'fault',
    problem: 'a batch of events that search had accepted could not be stored',
    evidence: [expect.stringMatching(/0002\.native\.refused: 4 bytes, of 20/)],
    plan: expect.arrayContaining([`mv ${join(folder, '0002.native.refused')} /root/`]),
  })
})
