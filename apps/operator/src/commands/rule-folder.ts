import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AppError, operatorErrors } from '@logstack/errors'

const ruleBytesMax = 262_144
const otherBytesMax = 1_048_576
const othersBytesMax = 16_777_216

/** A file of a folder of rules: its name relative to the folder, and its text. */
export interface FolderFile {
  readonly name: string
  readonly text: string
}

/** What a folder that is taken in holds: rule files, other files that rules may import, and what was not read. */
export interface RuleFolder {
  readonly base: string
  readonly files: readonly FolderFile[]
  readonly others: readonly FolderFile[]
  readonly tooLarge: readonly string[]
}

/** Reads a folder with all below it, or a single file; hidden ones are left out. `rules_refused` when there is no such place. */
export function readRuleFolder(from: string): RuleFolder {
  const found = statSync(from, { throwIfNoEntry: false })
  if (!found) {
    const fix = 'name a folder of rule files, or one rule file'
    throw new AppError(operatorErrors.rules_refused, `there is nothing at ${from}`, { fix })
  }
  const base = found.isDirectory() ? from : dirname(from)
  const names = found.isDirectory() ? namesBelow(from) : [basename(from)]
  const isRule = (name: string): boolean => !found.isDirectory() || /\.ya?ml$/u.test(name)
  const sizeOf = (name: string): number => statSync(join(base, name)).size
  const read = (name: string): FolderFile => ({ name, text: readFileSync(join(base, name), 'utf8') })
  const rules = names.filter(isRule)
  const others: FolderFile[] = []
  let bytes = 0
  for (const name of found.isDirectory() ? names : namesBeside(base, names)) {
    const size = isRule(name) && found.isDirectory() ? 0 : sizeOf(name)
    if (size === 0 || size > otherBytesMax || bytes + size > othersBytesMax) continue
    bytes += size
    others.push(read(name))
  }
  return {
    base,
    files: rules.filter((name) => sizeOf(name) <= ruleBytesMax).map(read),
    others,
    tooLarge: rules.filter((name) => sizeOf(name) > ruleBytesMax),
  }
}

/** Copies a file of the folder below `to`, where it keeps its place among the others, readable for the alerter's own user. */
export function copyRuleFile(base: string, name: string, to: string): void {
  const target = join(to, name)
  mkdirSync(to, { recursive: true })
  for (let dir = dirname(target); dir.startsWith(to); dir = dirname(dir)) {
    mkdirSync(dir, { recursive: true })
    chmodSync(dir, 0o755)
  }
  copyFileSync(join(base, name), target)
  chmodSync(target, 0o644)
}

// Repositories of rules have thousands of files in .git.
function namesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.isFile()) return [entry.name]
      return entry.isDirectory() ? namesBelow(join(folder, entry.name)).map((name) => join(entry.name, name)) : []
    })
}

// A single rule may import what lies beside it.
function namesBeside(base: string, names: readonly string[]): string[] {
  return readdirSync(base, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !names.includes(entry.name))
    .map(({ name }) => name)
}
