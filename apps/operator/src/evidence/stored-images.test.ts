import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { imageTrouble } from '../checks/faults/image.ts'
import { storedContainers, storedImages } from './stored-images.ts'

const name = 'localhost/logstack:LOGSTACK_LATEST'
let storage: ReturnType<typeof tempDir>

beforeEach(() => {
  storage = tempDir('podman-storage')
})
afterEach(() => storage.remove())

// As podman 5.4 writes them on a Debian 13 host, shortened.
function write(images: readonly { id: string; names?: string[]; programs?: string }[], containers: unknown): void {
  for (const { id, programs } of images) {
    const folder = join(storage.path, 'overlay-images', id)
    mkdirSync(folder, { recursive: true })
    const Labels = { 'io.buildah.version': '1.39.3', ...(programs ? { 'logstack.programs': programs } : {}) }
    const file = join(folder, `=${Buffer.from(`sha256:${id}`).toString('base64')}`)
    writeFileSync(file, JSON.stringify({ architecture: 'amd64', os: 'linux', config: { User: '7001:7001', Labels } }))
  }
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
