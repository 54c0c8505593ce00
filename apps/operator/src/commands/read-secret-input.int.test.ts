import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const runner = fileURLToPath(new URL('../../../../tools/run-ts.mjs', import.meta.url))
const program = fileURLToPath(new URL('./read-secret-input.child.ts', import.meta.url))
const command = `'${process.execPath}' '${runner}' '${program}'`

/** What a command that asks at a terminal shows, and its exit code, when these keys are typed once it asks. */
function typed(what: 'question' | 'secret', keys: string): Promise<{ code: number | null; shown: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['-qefc', `${command} ${what}`, '/dev/null'], { stdio: 'pipe' })
    let shown = ''
    let isAsked = false
    child.stdout.on('data', (chunk) => {
      shown += String(chunk)
      if (isAsked || !/Go on\?|Password:/.test(shown)) return
      isAsked = true
      child.stdin.write(keys)
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, shown }))
  })
}

test.each([
  ['question', 'y\r', 'answer[y]'],
  ['question', '\x04', 'answer[]'],
  ['secret', 'hidden\r', 'answer[hidden]'],
] as const)('a %s that gets %j is answered', async (what, keys, answer) => {
  expect(await typed(what, keys)).toEqual({ code: 0, shown: expect.stringContaining(answer) })
})

test.each(['question', 'secret'] as const)('Ctrl-C at a %s ends the command and answers nothing', async (what) => {
  const { code, shown } = await typed(what, '\x03')
  expect(code).toBe(130)
  expect(shown).not.toMatch(/answer|Error|at .*:\d+/)
})

/** What a command that asks a question and then for two secrets is answered when its standard input is no terminal. */
function piped(input: string, { close }: { close: boolean }): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [runner, program, 'question', 'secret', 'secret'], { stdio: 'pipe' })
    let shown = ''
    child.stdout.on('data', (chunk) => {
      shown += String(chunk)
    })
    child.on('error', reject)
    child.on('close', () => resolve(shown))
    child.stdin.write(input)
    if (close) child.stdin.end()
  })
}

test.each([
  ['elastic\nN\u00e4w passw0rd\r\nthird\nmore\n', 'answer[elastic]\nanswer[N\u00e4w passw0rd]\nanswer[third]\n'],
  ['elastic\nlast', 'answer[elastic]\nanswer[last]\nanswer[]\n'],
  ['', 'answer[]\nanswer[]\nanswer[]\n'],
])('what a script pipes in, %j, answers each question with a line', async (input, answers) => {
  expect(await piped(input, { close: true })).toBe(answers)
})

test('a command ends once it was answered, also when nobody ends its standard input', async () => {
  expect(await piped('a\nb\nc\n', { close: false })).toBe('answer[a]\nanswer[b]\nanswer[c]\n')
})
