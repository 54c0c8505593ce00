import { execFile } from 'node:child_process'

const timeoutMs = 60_000
const outputBytesMax = 64 * 1024 * 1024

/** The standard output of a tool of the host; rejects when it is not there, fails, or takes more than a minute. */
export function runCommand(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, LC_ALL: 'C' }
    execFile(file, [...args], { timeout: timeoutMs, maxBuffer: outputBytesMax, env }, (thrown, output) => {
      if (thrown) reject(thrown)
      else resolve(output)
    })
  })
}
