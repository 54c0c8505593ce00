import { describe, expect, it } from 'vitest'
import { runCommand } from './index.ts'

const timeoutMs = 20_000
const node = (script: string, ...args: string[]): string[] => [process.execPath, '-e', script, ...args]

describe('runCommand', () => {
  it('gives back output, and passes input, environment and arguments as they are', async () => {
    const script = 'process.stdin.pipe(process.stdout); process.stderr.write(process.env.X + process.argv[1])'
    const result = await runCommand(node(script, `$HOME 'a b'`), { timeoutMs, input: 'in\n', env: { X: 'x' } })
    expect(result).toEqual({ exitCode: 0, stdout: 'in\n', stderr: `x$HOME 'a b'` })
  })

  it('throws command_failed with the last of the error output', async () => {
    const failing = runCommand(node('console.error("why"); process.exit(3)'), { timeoutMs })
    await expect(failing).rejects.toMatchObject({ code: 'command_failed', detail: { exitCode: 3, stderr: 'why' } })
    const accepted = await runCommand(node('process.exit(3)'), { timeoutMs, accept: [3] })
    expect(accepted.exitCode).toBe(3)
  })

  it('throws command_missing for a program that is not there', async () => {
    const missing = runCommand(['no-such-program-anywhere'], { timeoutMs })
    await expect(missing).rejects.toMatchObject({ code: 'command_missing' })
  })

  it('ends a command that does not answer, even one that ignores SIGTERM', async () => {
    const script = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'
    await expect(runCommand(node(script), { timeoutMs: 300 })).rejects.toMatchObject({ code: 'command_timed_out' })
  })

  it('waits no longer for a command whose child keeps the output open', async () => {
    const stuck = runCommand(['sh', '-c', 'sleep 60 & exec sleep 60'], { timeoutMs: 100 })
    await expect(stuck).rejects.toMatchObject({ code: 'command_timed_out' })
  })

  it('a command killed by a signal failed', async () => {
    const failing = runCommand(node('process.kill(process.pid, "SIGKILL")'), { timeoutMs })
    await expect(failing).rejects.toMatchObject({ code: 'command_failed', message: expect.stringContaining('SIGKILL') })
  })
})
