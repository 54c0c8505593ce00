import { existsSync, readFileSync } from 'node:fs'
import { writeFileAtomically } from '../places/write-file.ts'
import { parseEnvironmentFile, setInEnvironmentFile } from '../quadlet/environment-file.ts'
import { choiceVariables, type Stack } from '../stack.ts'
import { defineStep, findingOf } from './define-step.ts'
import { unproven } from './unproven.ts'

/** The environment file every definition names: the host's address and what else was chosen at the first start. No secrets. */
export const environmentFile = defineStep({
  name: 'environment-file',
  title: 'environment file',
  async diagnose(stack) {
    const { environmentFile: file } = stack.paths
    return findingOf(wrongLines(stack).map(([name, value]) => `set ${name}=${value} in ${file}`))
  },
  async apply(stack) {
    const { environmentFile: file } = stack.paths
    const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
    writeFileAtomically(file, setInEnvironmentFile(before, linesOf(stack)), 0o600)
  },
  async prove(stack) {
    const wrong = wrongLines(stack)[0]
    if (wrong) throw unproven(`${stack.paths.environmentFile} does not hold ${wrong[0]}`)
  },
})

function linesOf({ choices }: Stack): Record<string, string> {
  return {
    [choiceVariables.ipvar]: choices.ipvar,
    [choiceVariables.portOffset]: String(choices.portOffset),
    [choiceVariables.adminUser]: choices.adminUser,
  }
}

function wrongLines(stack: Stack): [name: string, value: string][] {
  const { environmentFile: file } = stack.paths
  const found = existsSync(file) ? parseEnvironmentFile(readFileSync(file, 'utf8')) : {}
  return Object.entries(linesOf(stack)).filter(([name, value]) => found[name] !== value)
}
