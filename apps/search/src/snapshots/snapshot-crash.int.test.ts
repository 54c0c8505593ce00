import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { searchOverWire } from '../testing/search-over-wire.ts'

/** A search that is killed while it makes or restores a snapshot: what is listed is whole, and what is not whole is not seen. */

const send = searchOverWire()
const documents = 20_000

async function ask(method: string, path: string, body?: object): Promise<ReturnType<typeof Object>> {
  return Object((await send(path, { method, ...(body === undefined ? {} : { body }) })).json())
}

async function until(is: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000 && !is(); turn += 1) await sleep(1)
}

const blobs = (): number => {
  const folder = join(send.dataDir(), 'snapshots/r/blobs')
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).length : 0
}

it('lists only what is whole after it was killed', async () => {
  const lines = Array.from({ length: documents }, (_, n) => `{"index":{"_id":"${n}"}}\n{"n":${n},"text":"word ${n}"}\n`)
  await send('/many/_bulk', {
    method: 'POST',
    body: lines.join(''),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  await ask('PUT', '/_snapshot/r', { type: 'fs', settings: { location: 'r' } })
  await ask('PUT', '/_snapshot/r/cut', { indices: 'many' })
  await until(() => blobs() > 0)
  await send.crash()
  expect((await ask('POST', '/_snapshot/r/_verify_integrity')).results.result).toBe('pass')
  const { snapshots } = await ask('GET', '/_snapshot/r/_all')
  for (const { state } of snapshots) expect(state).toBe('SUCCESS')
  await ask('POST', '/_snapshot/r/_cleanup')
  const { snapshot } = await ask('PUT', '/_snapshot/r/whole?wait_for_completion=true', { indices: 'many' })
  expect(snapshot.state).toBe('SUCCESS')
})

it('shows a restored index whole or not at all', async () => {
  const body = { rename_pattern: 'many', rename_replacement: 'back' }
  await ask('POST', '/_snapshot/r/whole/_restore', body)
  await send.crash()
  const there = (await send('/back', { method: 'HEAD' })).status === 200
  if (!there) await ask('POST', '/_snapshot/r/whole/_restore?wait_for_completion=true', body)
  expect((await ask('GET', '/back/_count')).count).toBe(documents)
})
