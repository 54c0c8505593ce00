import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError, agentsErrors } from '@logstack/errors'
import type { z } from 'zod'

/** Replaces a file in one step that survives power loss: readers see the old text or the new one. Mode is 0600. */
export function writeDurably(path: string, text: string): void {
  const temporary = `${path}.new`
  try {
    writeSynced(temporary, text)
  } catch (thrown) {
    // On a full disk half of it would only take room.
    rmSync(temporary, { force: true })
    throw thrown
  }
  renameSync(temporary, path)
  syncFolder(dirname(path))
}

function writeSynced(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600)
  try {
    const bytes = Buffer.from(text)
    // A full disk takes what still fits, and says so only when it is asked to take more.
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Whether writing failed because the disk, or what this user may take of it, is used up. */
export function isDiskFull(thrown: unknown): boolean {
  const { code } = thrown as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** Makes survive power loss which files a folder holds. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Reads a JSON file of the agent; undefined when absent, `agent_data_invalid` when it is not what `schema` says. */
export function readJsonFile<T>(path: string, schema: z.ZodType<T>): T | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw invalid(path, thrown)
  }
  try {
    return schema.parse(JSON.parse(text))
  } catch (thrown) {
    throw invalid(path, thrown)
  }
}

function invalid(path: string, cause: unknown): AppError {
  return new AppError(agentsErrors.agent_data_invalid, `cannot read ${path}`, {
    cause,
    fix: 'enrol again with: agent enroll --force',
  })
}
