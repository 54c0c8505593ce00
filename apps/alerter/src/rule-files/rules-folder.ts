import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { AppError, alerterErrors } from '@logstack/errors'
import { type RuleProblem, readRule } from './read-rule.ts'
import type { Rule } from './rule.ts'

const ruleFileBytesMax = 262_144

/** The rules of a folder: those that run, and the files that cannot. */
export interface RulesFolder {
  readonly rules: readonly Rule[]
  readonly broken: readonly ({ readonly file: string } & RuleProblem)[]
}

/** Reads all `*.yml` and `*.yaml` below a folder. A broken file is set aside with its line and column; the others are read. */
export async function readRulesFolder(folder: string): Promise<RulesFolder> {
  const rules: Rule[] = []
  const broken: ({ file: string } & RuleProblem)[] = []
  for (const file of await ruleFiles(folder)) {
    const id = relative(folder, file).replace(/\.ya?ml$/, '')
    if ((await stat(file)).size > ruleFileBytesMax) {
      broken.push({ file, line: 1, column: 1, message: `larger than ${ruleFileBytesMax} bytes` })
      continue
    }
    const read = readRule(id, await readFile(file, 'utf8'))
    if (read.kind === 'rule') rules.push(read.rule)
    else if (read.kind === 'broken') broken.push({ file, ...read.problem })
  }
  return { rules, broken }
}

async function ruleFiles(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => !entry.isDirectory() && /\.ya?ml$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
  } catch (thrown) {
    throw new AppError(alerterErrors.rules_unreadable, `cannot read the rules folder ${folder}`, {
      cause: thrown,
      fix: `make ${folder} a readable directory of rule files`,
    })
  }
}
