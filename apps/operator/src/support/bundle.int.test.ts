import { appendFileSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '@logstack/process'
import { tempDir } from '@logstack/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StackOnSearch, stackOnSearch } from '../testing/stack-on-search.ts'
import { writeBundle } from './bundle.ts'
import { secretsOf } from './redact.ts'

let on: StackOnSearch
const folder = tempDir('logstack bundle')

beforeAll(async () => {
  on = await stackOnSearch()
}, 300_000)

afterAll(async () => {
  await on.remove()
  folder.remove()
})

test('a bundle tells how the stack is, and holds no secret of the vault in any form', async () => {
  const { stack } = on
  const secrets = secretsOf(stack.vault)
  expect(secrets.length).toBeGreaterThan(4)
  // Somebody wrote every secret where it does not belong: into settings, and into the operator's own log.
  mkdirSync(stack.paths.configDir, { recursive: true })
  mkdirSync(stack.paths.logDir, { recursive: true })
  const careless = secrets.map(({ name, value }) => {
    const basic = Buffer.from(`${name}:${value}`).toString('base64')
    return `# ${name} is ${value}\nnote: ${JSON.stringify(value)}\nheader: Basic ${basic}\nhttp_post_url: https://u:${encodeURIComponent(value)}@h/\n`
  })
  writeFileSync(join(stack.paths.configDir, 'search.yml'), careless.join(''))
  writeFileSync(join(stack.paths.logDir, 'doctor-audit.log'), careless.join(''))
  // Larger than what can be read in one piece, and cut in the midst of a secret where its end begins.
  const large = join(stack.paths.logDir, 'operator.log')
  const secret = secrets.find(({ value }) => value.length > 20 && !value.includes('\n'))?.value ?? ''
  const lastLine = '\nthe last line\n'
  writeFileSync(large, '')
  truncateSync(large, 3 * 1024 ** 3)
  appendFileSync(large, `${secret}\n`.padEnd(512 * 1024 + 5 - lastLine.length, 'x') + lastLine)

  const file = join(folder.path, 'bundle.tar.gz')
  const paths = await writeBundle(stack, { file, folder: 'support', onCollect: () => undefined })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await runCommand(['tar', '--extract', '--gzip', '--file', file, '--directory', folder.path], { timeoutMs: 60_000 })
  const texts = paths.map((path) => readFileSync(join(folder.path, 'support', path), 'utf8'))
  const whole = texts.join('\n')
  for (const { name, value } of secrets) {
    const lines = value.split('\n').filter((line) => line.length > 8 && !line.startsWith('-----'))
    const forms = [...lines, encodeURIComponent(value), Buffer.from(`${name}:${value}`).toString('base64')]
    for (const form of forms) expect(whole.includes(form), `${name} is in the bundle`).toBe(false)
  }
  const textOf = (path: string): string => texts[paths.indexOf(path)] ?? ''
  expect(textOf('logs/operator/operator.log').endsWith(lastLine)).toBe(true)
  expect(secret).not.toBe('')
  expect(whole.includes(secret.slice(5))).toBe(false)
  expect(textOf('settings/search.yml')).toContain('# elastic is <redacted>')
  expect(JSON.parse(textOf('search/root.json'))).toMatchObject({ name: 'logstack-search' })
  expect(JSON.parse(textOf('doctor.json'))).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'admin-password' })]),
  )
  expect(textOf('logs/alerter.log')).toContain('only seems to run')
}, 240_000)
