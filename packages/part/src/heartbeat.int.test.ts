import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLogger } from '@logstack/logging'
import { afterAll, expect, test } from 'vitest'
import { startHeartbeat } from './heartbeat.ts'

const folder = mkdtempSync(join(tmpdir(), 'logstack-heartbeat-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = fileURLToPath(new URL('../../../scripts/logstack-health', import.meta.url))
const url = 'https://127.0.0.1:9200/_logstack/health'
const file = join(folder, 'heartbeat')

/** The container's health check, as podman runs it. */
const check = (asked = url) => {
  const { status, stdout } = spawnSync('sh', [program, asked], {
    env: { PATH: '/usr/bin:/bin', LOGSTACK_HEARTBEAT_FILE: file },
    encoding: 'utf8',
  })
  return { status, said: stdout.trim() }
}

test('the health check passes while the part answers itself, and says why when it does not', async () => {
  let answer: string | undefined = `${url} answers 503: starting`
  const end = startHeartbeat({ url, file }, async () => answer, createLogger('test', 'silent'))
  await expect.poll(() => existsSync(`${file}.problem`)).toBe(true)
  expect(check()).toEqual({ status: 1, said: `${url} has not answered yet; the last problem: ${answer}` })
  answer = undefined
  await expect.poll(() => existsSync(file)).toBe(true)
  expect(check()).toEqual({ status: 0, said: '' })
  expect(check('https://127.0.0.1:1/').said).toContain(`is not asked, but ${url}`)
  end()
  expect(check().said).toContain('has not answered yet')
})

test('a note that nobody renews grows old, whatever the clock says', () => {
  const now = Number.parseInt(readFileSync('/proc/uptime', 'utf8'), 10)
  writeFileSync(file, `${now - 60} ${url}\n`)
  rmSync(`${file}.problem`, { force: true })
  expect(check().status).toBe(1)
  expect(check().said).toMatch(/has not answered for \d{2,} s$/)
  writeFileSync(file, 'garbage\n')
  expect(check().status).not.toBe(0)
})

test('the check starts no program', () => {
  writeFileSync(file, `${Number.parseInt(readFileSync('/proc/uptime', 'utf8'), 10)} ${url}\n`)
  // No folder of programs: whatever is no part of the shell would not be found.
  execFileSync('/bin/sh', [program, url], { env: { PATH: '/nonexistent', LOGSTACK_HEARTBEAT_FILE: file } })
})
