import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { AppError, agentsErrors } from '@logstack/errors'
import { expandPaths } from '../file/expand-paths.ts'
import { readDpkgFile } from '../inventory/packages.ts'
import { runCommand } from '../inventory/run-tool.ts'
import type { CheckCondition } from './check.ts'

const fileBytesMax = 4 * 1024 * 1024

/** What a condition saw: whether it holds, and the evidence in a few words. */
export interface Finding {
  readonly holds: boolean
  readonly evidence: string
}

/** Looks whether a condition holds on this host; changes nothing. Throws where that cannot be known. */
export async function look(condition: CheckCondition): Promise<Finding> {
  if ('file' in condition) return lookAtFile(condition)
  if ('lines_of' in condition) return lookAtLines(condition)
  if ('sysctl' in condition) return lookAtParameter(condition.sysctl, condition.is)
  if ('package' in condition) return lookAtPackage(condition.package, condition.absent === true)
  return lookAtUnit(condition.unit, condition.disabled === true)
}

async function lookAtFile(condition: Extract<CheckCondition, { file: string }>): Promise<Finding> {
  const { file, absent, mode_max: modeMax, owner, group } = condition
  const stats = await stat(file).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR') return undefined
    throw thrown
  })
  if (!stats) return { holds: absent === true, evidence: `${file} is not there` }
  if (absent) return { holds: false, evidence: `${file} is there` }
  const mode = stats.mode & 0o7777
  const isTight = modeMax === undefined || (mode & ~Number.parseInt(modeMax, 8)) === 0
  const isOwned = (owner === undefined || stats.uid === owner) && (group === undefined || stats.gid === group)
  const evidence = `${file} has mode ${mode.toString(8).padStart(4, '0')}, owner ${stats.uid}, group ${stats.gid}`
  return { holds: isTight && isOwned, evidence }
}

async function lookAtLines(condition: Extract<CheckCondition, { lines_of: string }>): Promise<Finding> {
  const { lines_of: pattern, match, none, without_file: withoutFile } = condition
  const paths = expandPaths(pattern).filter((path) => existsSync(path))
  if (paths.length === 0) return { holds: withoutFile ?? none === true, evidence: `${pattern} is not there` }
  const test = new RegExp(match, 'i')
  for (const path of paths) {
    if ((await stat(path)).size > fileBytesMax)
      throw new AppError(agentsErrors.agent_data_invalid, `${path} is too large to be looked at`)
    const found = (await readFile(path, 'utf8'))
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line !== '' && !/^[#;]/.test(line) && test.test(line))
    if (found !== undefined) return { holds: none !== true, evidence: `${path}: ${found.slice(0, 200)}` }
  }
  return { holds: none === true, evidence: `no line of ${paths.join(', ')} matches ${match}` }
}

async function lookAtParameter(name: string, wanted: string): Promise<Finding> {
  const path = `/proc/sys/${name.replaceAll('.', '/')}`
  const value = (await readFile(path, 'utf8')).trim().replace(/\s+/g, ' ')
  return { holds: value === wanted, evidence: `${name} = ${value}` }
}

async function lookAtPackage(name: string, absent: boolean): Promise<Finding> {
  const installed = await readDpkgFile()
  const isInstalled = [...installed.keys()].some((key) => key.startsWith(`${name}:`))
  return { holds: isInstalled !== absent, evidence: `${name} is ${isInstalled ? '' : 'not '}installed` }
}

async function lookAtUnit(unit: string, disabled: boolean): Promise<Finding> {
  // It ends with 1 for what is disabled and 4 for what is not there; the word says which.
  const state = await runCommand('systemctl', ['is-enabled', unit]).catch(
    (thrown: { stdout?: string; code?: unknown }) => {
      if (typeof thrown.code === 'number') return thrown.stdout || 'not-found'
      throw thrown
    },
  )
  const isEnabled = /^(enabled|static|alias|indirect)/.test(state.trim())
  return { holds: isEnabled !== disabled, evidence: `${unit} is ${state.trim()}` }
}
