import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runCommand } from '@logstack/process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testStack } from './testing/test-stack.ts'

const scripts = fileURLToPath(new URL('../../../scripts', import.meta.url))
const timeoutMs = 60_000
const awkward = `quo"te's $HOME \`id\` \\ end`

let test: ReturnType<typeof testStack>
beforeEach(() => {
  test = testStack()
  mkdirSync(test.stack.paths.vaultDir, { recursive: true })
  test.stack.vault.create()
  test.stack.vault.write('elastic', awkward)
  test.stack.vault.write('logstack_alerter', 'two\nlines')
})
afterEach(() => test.remove())

const bash = (script: string) =>
  runCommand(['bash', '-c', script], {
    timeoutMs,
    cwd: '/',
    env: { LOGSTACK_DATA: test.stack.paths.root, SCRIPTS: scripts },
    accept: [1, 2, 6],
  })

describe('extract_secrets.sh', () => {
  it('exports every secret as it is, quietly, also when sourced twice and under set -eu', async () => {
    const source = 'source "$SCRIPTS/extract_secrets.sh" -q'
    const result = await bash(
      `set -eu; ${source}; ${source}; printf '%s|%s|%s' "$-" "$elastic" "$(printenv logstack_alerter)"`,
    )
    expect(result).toEqual({ exitCode: 0, stdout: `ehuBc|${awkward}|two\nlines`, stderr: '' })
  })

  it('prints what it exports when asked to', async () => {
    const { stdout } = await bash('source "$SCRIPTS/extract_secrets.sh" -p')
    expect(stdout).toBe(`Exported elastic: ${awkward}\nExported logstack_alerter: two\nlines\n`)
  })

  it('says so and fails when it is run instead of sourced, or the vault cannot be read', async () => {
    const run = await bash('bash "$SCRIPTS/extract_secrets.sh" -q')
    expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('source it') })
    const broken = await bash('rm "$LOGSTACK_DATA/etc/logstack/vault-key"; source "$SCRIPTS/extract_secrets.sh" -q')
    expect(broken.exitCode).toBe(1)
  })
})

describe('a folder without a stack', () => {
  it.each([
    '"$SCRIPTS/password_management.sh" -l',
    '"$SCRIPTS/password_management.sh" -s elastic </dev/null',
    'source "$SCRIPTS/extract_secrets.sh" -q',
    '"$SCRIPTS/../logstack" logs search',
  ])('is named by %s, which ends with a failure', async (script) => {
    const { exitCode, stdout, stderr } = await bash(
      `mkdir "$LOGSTACK_DATA/empty"; export LOGSTACK_DATA="$LOGSTACK_DATA/empty"; ${script}`,
    )
    expect(stdout).toBe('')
    expect(stderr).toContain(`there is no stack in ${test.stack.paths.root}/empty yet\n  fix: `)
    expect(exitCode).toBe(script.startsWith('source') ? 1 : 6)
  })
})

describe('a command', () => {
  it('says so when a full disk takes no answer', async () => {
    const full = await bash('"$SCRIPTS/../logstack" vault list >/dev/full')
    expect(full).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('the answer cannot be written: ') })
  })
})

describe('password_management.sh', () => {
  it("lists the store's names when search does not answer, and explains itself", async () => {
    const { stdout } = await bash('"$SCRIPTS/password_management.sh" -l')
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['elastic', 'search does not answer', 'stored'],
      ['logstack_alerter', 'search does not answer', 'stored'],
      [''],
    ])
    expect(await bash('"$SCRIPTS/password_management.sh"')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('-s [USER]'),
    })
    expect(await bash('"$SCRIPTS/password_management.sh" -x')).toMatchObject({ exitCode: 2 })
  })
})
