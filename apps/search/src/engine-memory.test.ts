import { expect, it } from 'vitest'
import { engineMemory } from './engine-memory.ts'

const gb = 1024 ** 3

it.each([
  [undefined, 16 * gb, 8 * gb],
  [undefined, 256 * gb, 31 * gb],
  ['-Xms64g -Xmx64g', 128 * gb, 64 * gb],
  ['-Xms512m', 8 * gb, gb / 2],
  ['-Xmx1048576k -Xms2g', 8 * gb, gb],
])('reads %s on a machine of %d bytes', (options, memory, expected) => {
  expect(engineMemory(options, memory).bytesMax).toBe(expected)
})

it('names the options it does not know', () => {
  expect(engineMemory('-XX:+UseG1GC -Xmx2g -Xmx', 8 * gb)).toEqual({
    bytesMax: 2 * gb,
    ignored: ['-XX:+UseG1GC', '-Xmx'],
  })
})
