import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError, operatorErrors } from '@logstack/errors'
import { identifyProcess, isRunning, type ProcessIdentity } from '../places/process-identity.ts'

/** Who holds the lock, and what for. */
export interface LockHolder extends ProcessIdentity {
  readonly command: string
  /** ISO 8601. */
  readonly since: string
}

/** A held lock. */
export interface Lock {
  release(): void
}

const attempts = 5

/**
 * Takes the operator's lock, so that commands which change a stack run one after the other. `operator_busy` names the holder. A lock
 * whose holder is gone (also when its number was given to another process) is taken over.
 */
export function takeLock(file: string, command: string): Lock {
  mkdirSync(dirname(file), { recursive: true })
  const own: LockHolder = {
    ...(identifyProcess(process.pid) ?? { pid: process.pid }),
    command,
    since: new Date().toISOString(),
  }
  const candidate = `${file}.${process.pid}`
  writeFileSync(candidate, JSON.stringify(own))
  try {
    for (let attempt = 0; attempt < attempts; attempt++) {
      // A hard link appears with its content, and only if the name is free.
      if (tryLink(candidate, file)) return { release: () => release(file, own) }
      const holder = readHolder(file)
      if (holder && isRunning(holder)) throw busy(holder)
      removeStale(file, holder)
    }
    throw new Error(`cannot take the lock ${file}: it changes hands all the time`)
  } finally {
    rmSync(candidate, { force: true })
  }
}

/** Who holds the lock now; undefined when nobody does. */
export function lockHolder(file: string): LockHolder | undefined {
  const holder = readHolder(file)
  return holder && isRunning(holder) ? holder : undefined
}

function busy(holder: LockHolder): AppError {
  const message = `another operator command is running: ${holder.command} (process ${holder.pid}, since ${holder.since})`
  return new AppError(operatorErrors.operator_busy, message, {
    detail: { pid: holder.pid },
    fix: `wait until it ends, or stop it with: kill ${holder.pid}`,
  })
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw thrown
  }
}

// Moved aside first: if another process took the lock between reading and moving, its file is the one moved, and goes back.
function removeStale(file: string, stale: LockHolder | undefined): void {
  const aside = `${file}.stale.${process.pid}`
  try {
    renameSync(file, aside)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return
    throw thrown
  }
  const moved = readHolder(aside)
  if (moved && moved.since !== stale?.since && isRunning(moved)) tryLink(aside, file)
  rmSync(aside, { force: true })
}

function release(file: string, own: LockHolder): void {
  const holder = readHolder(file)
  if (holder?.pid === own.pid && holder.since === own.since) rmSync(file, { force: true })
}

function readHolder(file: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LockHolder
  } catch (thrown) {
    if (thrown instanceof SyntaxError || (thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw thrown
  }
}
