import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '@logstack/process'
import { Command } from 'commander'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CommandContext } from '../commands/command.ts'
import { commands } from '../commands/index.ts'
import { commandEntries } from './command-tree.ts'
import { renderCompletion } from './completion.ts'
import { renderManual } from './manual.ts'

const context: CommandContext = { programDir: '/nowhere', env: {}, say: () => undefined, tell: () => undefined }
const program = new Command('logstack').description('looks after the stack')
for (const register of commands) register(program, context)
const entries = commandEntries(program)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'logstack-help-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const complete = async (...typed: string[]): Promise<string[]> => {
  const file = join(folder, 'completion.bash')
  writeFileSync(file, renderCompletion('bash', entries))
  const script =
    'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _logstack; printf "%s\\n" "${COMPREPLY[@]}"'
  const argv = ['bash', '-euc', script, 'bash', file, 'logstack', ...typed]
  const { stdout } = await runCommand(argv, { timeoutMs: 60_000 })
  return stdout.trim().split('\n')
}

describe('completion for bash', () => {
  it('knows commands, their commands, parts and options', async () => {
    expect(await complete('sta')).toEqual(['start', 'status'])
    expect(await complete('memory', '')).toEqual(expect.arrayContaining(['show', 'set']))
    expect(await complete('logs', 'sea')).toEqual(['search'])
    expect(await complete('--data', '/x', 'status', '--w')).toEqual(['--watch'])
    expect(await complete('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh']))
  })
  it('does not show what people do not use', async () => {
    expect(await complete('superv')).toEqual([''])
  })
})

describe('the commands', () => {
  it('each say what they do; those that do something show an example', () => {
    const silent = entries.filter(({ description }) => description === '').map(({ path }) => path)
    expect(silent).toEqual([])
    const without = entries.filter(({ subcommands, examples }) => subcommands.length === 0 && examples.length === 0)
    // How these are used is told in docs/operator/passwords.md and certificates.md.
    const told = /^(password|vault|certs) /
    expect(without.map(({ path }) => path).filter((path) => !told.test(path))).toEqual([])
  })
})

describe('the manual', () => {
  it('names every command, and no line of text is taken for a request', () => {
    const page = renderManual(entries, '1.2.3')
    for (const { path } of entries.slice(1)) expect(page).toContain(`.SS logstack ${path.replaceAll('-', '\\-')}`)
    expect(page.split('\n').filter((line) => /^[.'](?!(TH|SH|SS|TP|PP|br|B|I)\b)/.test(line))).toEqual([])
  })
})
