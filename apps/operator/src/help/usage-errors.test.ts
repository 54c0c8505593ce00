import { Command } from 'commander'
import { beforeEach, expect, test } from 'vitest'
import type { CommandContext } from '../commands/command.ts'
import { commands } from '../commands/index.ts'
import { explainUsageErrors } from './usage-errors.ts'

const context: CommandContext = { programDir: '/nowhere', env: {}, say: () => undefined, tell: () => undefined }
let program: Command
let said: string

beforeEach(() => {
  said = ''
  program = new Command('logstack').option('--data <dir>').exitOverride()
  program.configureOutput({ writeErr: (text) => (said += text) })
  for (const register of commands) register(program, context)
  explainUsageErrors(program, (fix) => fix.replaceAll('./logstack', 'sudo logstack'))
})

async function answerTo(...words: string[]): Promise<string[]> {
  await expect(program.parseAsync(words, { from: 'user' })).rejects.toThrow()
  return said.trimEnd().split('\n')
}

test('an option before its command is told where it belongs', async () => {
  expect(await answerTo('--data', '/x', '--port-offset', '1000', 'up')).toEqual([
    "logstack: unknown option '--port-offset'",
    '(--port-offset stands behind its command: logstack up --port-offset)',
    '  fix: sudo logstack --help lists the commands, sudo logstack COMMAND --help what one takes',
  ])
})

test.each([
  [['stauts'], 'status'],
  [['certs', 'shw'], 'show'],
  [['renew'], 'logstack certs renew'],
  [['status', '--jsn'], '--json'],
  [['up', '--offset', '1000'], '--port-offset'],
  [['status', '--dta', '/x'], '--data'],
])('%j is told what was probably meant', async (words, meant) => {
  expect((await answerTo(...words))[1]).toBe(`(did you mean ${meant}?)`)
})

test('what people do not use is not suggested', async () => {
  expect(await answerTo('supervis')).toHaveLength(2)
})

test('one that no command has is only named', async () => {
  expect(await answerTo('--nothing-like-it', 'up')).toHaveLength(2)
})

test.each([
  [['logs'], "missing required argument 'part'", 'sudo logstack logs --help says what it takes'],
  [['doctor', '--fix'], "unknown option '--fix'", 'sudo logstack doctor --help says what it takes'],
  [
    ['retention', 'purge'],
    "required option '--older-than <age>' not specified",
    'sudo logstack retention purge --help says what it takes',
  ],
  [['password', 'chnge'], "unknown command 'chnge'", 'sudo logstack password --help lists its commands'],
])('%j points to the help of that command', async (words, problem, fix) => {
  const lines = await answerTo(...words)
  expect(lines[0]).toBe(`logstack: ${problem}`)
  expect(lines.at(-1)).toBe(`  fix: ${fix}`)
})
