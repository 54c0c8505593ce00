import { expect, it } from 'vitest'
import { kernelDrops } from './kernel-drops.ts'

const table = `   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  512: 0100007F:0202 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4242 2 0000000000000000 17
  513: 00000000:0202 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4243 2 0000000000000000 3
 1024: 0100007F:2FA2 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4244 2 0000000000000000 99
`

it('are those of all sockets of the port', () => {
  expect(kernelDrops(table, 514)).toBe(20)
  expect(kernelDrops(table, 12_194)).toBe(99)
  expect(kernelDrops(table, 515)).toBe(0)
  expect(kernelDrops('', 514)).toBe(0)
})
