import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { AppError, operatorErrors } from '@logstack/errors'
import { runningSupervisor } from './supervisor-state.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The data directory of a stack nobody named: `$XDG_DATA_HOME/logstack`, else `~/.local/share/logstack`. */
export function defaultDataDir(env: Environment): string {
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local/share'), 'logstack')
}

/** The data directory that was named, by option or by `LOGSTACK_DATA`; absolute. */
export function namedDataDir(option: string | undefined, env: Environment): string | undefined {
  const named = option ?? env['LOGSTACK_DATA']
  return named ? resolve(named) : undefined
}

/**
 * The data directory a command means: the named one; else the default one if its stack runs; else the only stack of this user that runs;
 * else the default one. Several running stacks and none of them the default is `option_invalid`.
 */
export function findDataDir(option: string | undefined, env: Environment): string {
  const named = namedDataDir(option, env)
  if (named) return named
  const byDefault = defaultDataDir(env)
  const running = runningStacks(env)
  if (running.length === 0 || running.includes(byDefault)) return byDefault
  const [only, ...others] = running
  if (only !== undefined && others.length === 0) return only
  throw new AppError(operatorErrors.option_invalid, `${running.length} stacks are running: ${running.join(', ')}`, {
    fix: 'say which one with --data DIR',
  })
}

/** Remembers that a stack of this user runs in `dataDir`, for commands that are not told which one they are meant for. */
export function rememberStack(dataDir: string, env: Environment): void {
  try {
    mkdirSync(registryDir(env), { recursive: true, mode: 0o700 })
    writeFileSync(join(registryDir(env), entryOf(dataDir)), dataDir)
  } catch (thrown) {
    // Only a convenience: a user without a writable home names the stack with --data.
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR'].includes((thrown as NodeJS.ErrnoException).code ?? ''))
      throw thrown
  }
}

/** The data directories of this user's running stacks, sorted; forgets those that ended. */
export function runningStacks(env: Environment): string[] {
  const dir = registryDir(env)
  if (!existsSync(dir)) return []
  const running: string[] = []
  for (const name of readdirSync(dir)) {
    const dataDir = readFileSync(join(dir, name), 'utf8')
    if (runningSupervisor({ runDir: join(dataDir, 'run') })) running.push(dataDir)
    else rmSync(join(dir, name), { force: true })
  }
  return running.sort()
}

function registryDir(env: Environment): string {
  return join(env['XDG_STATE_HOME'] || join(homedir(), '.local/state'), 'logstack/stacks')
}

function entryOf(dataDir: string): string {
  return createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
}
