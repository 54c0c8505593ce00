import { execFile } from 'node:child_process'
import { AppError, agentsErrors, messageOf } from '@logstack/errors'

const timeoutMs = 20_000
// A service's search path may lack what only administrators run.
const more = '/usr/sbin:/sbin'

/** Gives `nft` a script, which it carries out whole or not at all; throws `action_not_allowed` with what it said. */
export function nft(script: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:${more}` }
    const child = execFile('nft', ['-f', '-'], { timeout: timeoutMs, env }, (failed, _stdout, stderr) => {
      if (!failed) return resolve()
      const isMissing = (failed as NodeJS.ErrnoException).code === 'ENOENT'
      const reason = isMissing ? 'nft is not installed on this host' : stderr.trim().slice(0, 500) || messageOf(failed)
      const fix = isMissing ? { fix: 'apt-get install nftables' } : {}
      reject(
        new AppError(agentsErrors.action_not_allowed, `the packet filter is as it was: ${reason}`, {
          cause: failed,
          ...fix,
        }),
      )
    })
    // It may end before it has read everything; how it ended says more.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(script)
  })
}
