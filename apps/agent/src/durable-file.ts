import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError, agentsErrors } from '@logstack/errors'
import type { z } from 'zod'

/** Replaces a file in one step that survives power loss: readers see the old text or the new one. Mode is 0600. */
export function writeDurably(path: string, text: string): void {
  const temporary = `${path}.new`
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  syncFolder(dirname(path))
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
