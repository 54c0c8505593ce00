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
