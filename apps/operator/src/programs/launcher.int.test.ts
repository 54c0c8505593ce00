import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeEach, expect, it, onTestFinished } from 'vitest'

// `./logstack` in a checkout: it builds before a start whose sources are newer than the programs, and only then.

let checkout: string

beforeEach(() => {
  const made = mkdtempSync(join(tmpdir(), 'launcher-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  checkout = made
  for (const folder of ['apps', 'packages', 'tools', 'dist', 'node_modules']) mkdirSync(join(checkout, folder))
  copyFileSync(fileURLToPath(new URL('../../../../logstack', import.meta.url)), join(checkout, 'logstack'))
  for (const file of ['package.json', 'package-lock.json', 'apps/main.ts']) writeFileSync(join(checkout, file), '{}')
  writeFileSync(join(checkout, 'tools/setup.mjs'), "console.error('built')")
  writeFileSync(join(checkout, 'dist/operator.mjs'), "console.log('ran', process.argv.slice(2).join(' '))")
  writeFileSync(join(checkout, 'dist/.built'), '')
  touch('dist/.built', 0)
})

/** Sets when a file was written, in seconds from now. */
function touch(file: string, seconds: number): void {
  const at = Date.now() / 1000 + seconds
  utimesSync(join(checkout, file), at, at)
}

const run = (...argv: string[]): string =>
  execFileSync('sh', ['-c', '"$0" "$@" 2>&1', join(checkout, 'logstack'), ...argv], { encoding: 'utf8' })

it('builds before a start when a source is newer, wherever the options stand', () => {
  for (const argv of [['up'], ['--data', 'there', 'up', '--detach']]) {
    touch('apps/main.ts', 60)
    expect(run(...argv)).toBe(`built\nran ${argv.join(' ')}\n`)
  }
})

it('does not build for what is newer before another command, nor before a start where nothing is', () => {
  touch('apps/main.ts', 60)
  expect(run('--data', 'there', 'status')).toBe('ran --data there status\n')
  for (const file of ['package.json', 'package-lock.json', 'apps/main.ts', 'tools/setup.mjs']) touch(file, -60)
  expect(run('--data', 'there', 'up')).toBe('ran --data there up\n')
})

it('builds once where two starts find a source newer, and the second waits for that', async () => {
  for (const file of ['package.json', 'package-lock.json', 'apps/main.ts', 'tools/setup.mjs']) touch(file, -60)
  touch('dist/.built', -120)
  writeFileSync(
    join(checkout, 'tools/setup.mjs'),
    "console.error('built'); await new Promise((resolve) => setTimeout(resolve, 1500)); console.error('done')",
  )
  touch('tools/setup.mjs', -60)
  const start = () => promisify(execFile)('sh', ['-c', '"$0" "$@" 2>&1', join(checkout, 'logstack'), 'up'])
  const told = (await Promise.all([start(), start()])).map(({ stdout }) => stdout).sort()
  expect(told).toEqual(['built\ndone\nran up\n', 'ran up\n'])
})

it('builds where one who built was killed', () => {
  touch('apps/main.ts', 60)
  // Above the greatest number that a process can have.
  symlinkSync('4194305', join(checkout, 'dist/.set-up-lock'))
  expect(run('up')).toBe('built\nran up\n')
  expect(run('status')).toBe('ran status\n')
})
