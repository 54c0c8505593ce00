import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@logstack/testkit'
import { describe, expect, it } from 'vitest'
import { containerOf } from './container-facts.ts'
import { readContainerLine } from './container-line.ts'

describe('lines of containers', () => {
  it.each([
    [
      '{"log":"hello\\n","stream":"stdout","time":"2026-11-22T03:25:32.123456789Z"}',
      { text: 'hello', stream: 'stdout', time: '2026-11-22T03:25:32.123Z', isPart: false },
    ],
    ['{"log":"half","stream":"stderr"}', { text: 'half', stream: 'stderr', time: undefined, isPart: true }],
    [
      '2026-11-22T03:25:32.5+01:00 stderr P long',
      { text: 'long', stream: 'stderr', time: '2026-11-22T02:25:32.500Z', isPart: true },
    ],
    ['2026-11-22T03:25:32Z stdout F ', { text: '', stream: 'stdout', time: '2026-11-22T03:25:32.000Z', isPart: false }],
    ['{"log":7}', undefined],
    ['{"log"', undefined],
    ['free text', undefined],
  ])('%s', (line, expected) => {
    expect(readContainerLine(line)).toEqual(expected)
  })
})

describe('the container of a file', () => {
  const id = 'a'.repeat(64)

  it('is told by Docker’s own files', () => {
    const temporary = tempDir('logstack-docker')
    const folder = join(temporary.path, 'containers', id)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'config.v2.json'), '{"Name":"/web","Config":{"Image":"nginx:1.27"}}')
    expect(containerOf(join(folder, `${id}-json.log`))).toEqual({
      id,
      name: 'web',
      runtime: 'docker',
      image: { name: 'nginx:1.27' },
    })
    temporary.remove()
  })

  it('is told by podman’s own files', () => {
    const temporary = tempDir('logstack-podman')
    const folder = join(temporary.path, 'overlay-containers')
    mkdirSync(join(folder, id, 'userdata'), { recursive: true })
    const own = { id, names: ['db'], metadata: '{"image-name":"docker.io/library/postgres:17","name":"db"}' }
    writeFileSync(join(folder, 'containers.json'), JSON.stringify([own]))
    expect(containerOf(join(folder, id, 'userdata/ctr.log'))).toMatchObject({ id, name: 'db', runtime: 'podman' })
    temporary.remove()
  })

  it('has no name where they are gone', () => {
    expect(containerOf(`/nowhere/containers/${id}/${id}-json.log`)).toEqual({ id, runtime: 'docker' })
  })
})
