import { expect, test } from 'vitest'
import { bytesLacking, filesWords, freeWords, fullMeans, isShort, isShortOfFiles } from './file-systems.ts'

const gibibyte = 1024 ** 3

test.each([
  ['a tenth free of a small disk', 20, 2, false],
  ['less than a tenth of a small disk', 20, 1.9, true],
  ['less than a tenth of a large disk, which is still much', 1000, 50, false],
  ['a large disk with little left', 1000, 9, true],
  ['an empty small disk', 0.3, 0.29, false],
])('%s', (_words, total, free, short) => {
  expect(isShort({ bytesTotal: total * gibibyte, bytesFree: free * gibibyte })).toBe(short)
})

test.each([
  ['a twentieth of a small table of files', 3_000, 150, false],
  ['less than a twentieth', 3_000, 149, true],
  ['less than a twentieth of a large one, which is still many', 100_000_000, 200_000, false],
  ['a large one with few left', 100_000_000, 90_000, true],
  ['a file system without such a table', 0, 0, false],
])('files: %s', (_words, filesTotal, filesFree, short) => {
  expect(isShortOfFiles({ filesTotal, filesFree })).toBe(short)
})

test('free places of files are told in numbers and percent', () => {
  expect(filesWords({ filesTotal: 3_000, filesFree: 120 })).toBe('120 of 3000 files (inodes) free (4 %)')
})

test('what a file system lacks is what a tenth of it, or ten gibibytes, have more than is free', () => {
  expect(bytesLacking({ bytesTotal: 20 * gibibyte, bytesFree: 1.5 * gibibyte })).toBe(0.5 * gibibyte)
  expect(bytesLacking({ bytesTotal: 1000 * gibibyte, bytesFree: 9 * gibibyte })).toBe(gibibyte)
  expect(bytesLacking({ bytesTotal: 1000 * gibibyte, bytesFree: 50 * gibibyte })).toBe(0)
})

test('free space is told in units and percent', () => {
  expect(freeWords({ bytesTotal: 20 * gibibyte, bytesFree: 1.5 * gibibyte })).toBe('1.5 GiB of 20.0 GiB free (8 %)')
  expect(freeWords({ bytesTotal: gibibyte, bytesFree: 300 * 1024 ** 2 })).toBe('300 MiB of 1.0 GiB free (29 %)')
})

test('what a full file system means is told for what lies on it', () => {
  expect(fullMeans([{ holds: ['logs'] }])).toBe('what is done and seen is not written down when it is full')
  expect(fullMeans([{ holds: ['events', 'containers'] }, { holds: ['logs', 'events'] }]).split('; ')).toEqual([
    'search refuses events when it is full',
    'agents then keep theirs until there is room',
    'no container starts when it is full',
    'what is done and seen is not written down when it is full',
  ])
})
