import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { baseIsNewer, imageTrouble, leftByBuilds } from '../checks/faults/image.ts'
import { storedContainers, storedImages } from './stored-images.ts'

const name = 'localhost/logstack:LOGSTACK_LATEST'
let storage: ReturnType<typeof tempDir>

beforeEach(() => {
  storage = tempDir('podman-storage')
})
afterEach(() => storage.remove())

// As podman 5.4 writes them on a Debian 13 host, shortened.
interface Image {
  readonly id: string
  readonly names?: string[]
  readonly programs?: string
  readonly base?: string
}

function write(images: readonly Image[], containers: unknown): void {
  for (const { id, programs, base } of images) {
    const folder = join(storage.path, 'overlay-images', id)
    mkdirSync(folder, { recursive: true })
    const Labels = {
      'io.buildah.version': '1.39.3',
      ...(programs ? { 'logstack.programs': programs } : {}),
      ...(base ? { 'logstack.base': base } : {}),
    }
    const file = join(folder, `=${Buffer.from(`sha256:${id}`).toString('base64')}`)
    writeFileSync(file, JSON.stringify({ architecture: 'amd64', os: 'linux', config: { User: '7001:7001', Labels } }))
  }
  mkdirSync(join(storage.path, 'overlay-images'), { recursive: true })
  mkdirSync(join(storage.path, 'overlay-containers'))
  writeFileSync(join(storage.path, 'overlay-images/images.json'), JSON.stringify(images))
  writeFileSync(join(storage.path, 'overlay-containers/containers.json'), '[]')
  writeFileSync(join(storage.path, 'overlay-containers/volatile-containers.json'), JSON.stringify(containers))
}

const look = (installed: string | undefined) =>
  imageTrouble({ images: storedImages(storage.path) ?? [], containers: storedContainers(storage.path), installed })
const [older, newer] = ['0'.repeat(64), '1'.repeat(64)]
const running = [
  { id: 'a', names: ['logstack-search'], image: newer },
  { id: 'b', names: ['logstack-alerter'], image: older },
  { id: 'c', names: ['somebody-else'], image: older },
]

test('an image that is right, with a part that still runs of the one before', () => {
  write(
    [
      { id: older, programs: 'before' },
      { id: newer, names: [name], programs: 'now' },
    ],
    running,
  )
  expect(look('now')).toEqual({ image: 'right', outdated: ['alerter'] })
  expect(look(undefined)).toEqual({ image: 'right', outdated: [] })
})

test('a part that runs of the same programs on the base before is outdated', () => {
  const base = '2'.repeat(64)
  write(
    [
      { id: older, programs: 'now', base: '3'.repeat(64) },
      { id: newer, names: [name], programs: 'now', base },
      { id: base, names: ['docker.io/library/node:20'] },
    ],
    running,
  )
  expect(look('now')).toEqual({ image: 'right', outdated: ['alerter'] })
  expect(baseIsNewer(storedImages(storage.path) ?? [], 'docker.io/library/node:20')).toBe(false)
})

test('a base that podman fetched anew since is told; one that podman has no more is not', () => {
  write(
    [
      { id: newer, names: [name], programs: 'now', base: '2'.repeat(64) },
      { id: older, names: ['docker.io/library/node:20'] },
    ],
    [],
  )
  expect(baseIsNewer(storedImages(storage.path) ?? [], 'docker.io/library/node:20')).toBe(true)
  expect(baseIsNewer(storedImages(storage.path) ?? [], 'docker.io/library/other')).toBe(false)
})

test('containers of builds that were cut off are told by name, others are not', () => {
  write(
    [],
    [
      { id: 'd', names: ['debian-node-working-container'] },
      { id: 'e', names: ['working-container-1'] },
      { id: 'f', names: ['my-working-container-of-old'] },
      ...running,
    ],
  )
  expect(leftByBuilds(storedContainers(storage.path))).toEqual(['debian-node-working-container', 'working-container-1'])
})

test('an image of other programs than are installed, as an upgrade leaves it that was cut off', () => {
  write(
    [
      { id: older, names: ['docker.io/library/other'] },
      { id: newer, names: [name], programs: 'before' },
    ],
    [],
  )
  expect(look('now')).toEqual({ image: 'outdated', outdated: [] })
})

test('an image that lost its name, while parts run on; one of which nothing is known any more', () => {
  write([{ id: newer, programs: 'now' }], running)
  expect(look('now')).toEqual({ image: 'missing', outdated: [] })
})

test('a storage that is elsewhere says nothing', () => {
  expect(storedImages(storage.path)).toBeUndefined()
  expect(storedContainers(storage.path)).toEqual([])
})
