import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'logstack-run-part-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const startPart = (env: Readonly<Record<string, string>>) =>
  spawn(
    process.execPath,
    [join(root, 'tools/run-ts.mjs'), fileURLToPath(new URL('./run-part.child.ts', import.meta.url))],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'] ?? '',
        LOGSTACK_DATA_DIR: folder,
        LOGSTACK_CERTS_DIR: folder,
        LOGSTACK_SECRETS_DIR: folder,
        ...env,
      },
    },
  )

test('a part that is told to stop while it starts ends at once, and in order for who started it', async () => {
  const child = startPart({ LOGSTACK_LOG_LEVEL: 'debug' })
  let log = ''
  child.stdout.on('data', (bytes: Buffer) => {
    log += bytes.toString()
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  try {
    await expect.poll(() => log).toContain('"msg":"starting"')
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
  } finally {
    child.kill('SIGKILL')
  }
})

test('a part is ready by its file, takes live settings on SIGHUP, keeps the old ones when the file is wrong, and stops on SIGTERM', async () => {
  const config = join(folder, 'idle.yml')
  const ready = join(folder, 'ready')
  const child = startPart({ LOGSTACK_CONFIG_FILE: config, LOGSTACK_READY_FILE: ready })
  let log = ''
  child.stdout.on('data', (bytes: Buffer) => {
    log += bytes.toString()
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  try {
    await expect.poll(() => log).toContain('"msg":"ready"')
    expect(existsSync(ready)).toBe(true)
    expect(log).toContain('"takesMembers":false')
    writeFileSync(config, 'pause_ms: 7\nport: 2\n')
    child.kill('SIGHUP')
    await expect.poll(() => log).toContain('"needRestart":["port"]')
    expect(log).toContain('"value":7')
    writeFileSync(config, 'pause_ms: soon\n')
    child.kill('SIGHUP')
    await expect.poll(() => log).toContain('the old ones stay in effect')
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
    expect(existsSync(ready)).toBe(false)
  } finally {
    child.kill('SIGKILL')
  }
})
