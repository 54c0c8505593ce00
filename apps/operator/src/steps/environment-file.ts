import { existsSync, readFileSync } from 'node:fs'
import { writeFileAtomically } from '../places/write-file.ts'
import { parseEnvironmentFile, setInEnvironmentFile } from '../quadlet/environment-file.ts'
import { choiceVariables, ownSearch, type Stack } from '../stack.ts'
import { unproven } from '../telling/unproven.ts'
import { defineStep, findingOf } from './define-step.ts'
import { forgetImported } from './shipped-objects.ts'

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
    if (before !== '' && isAnotherSearch(keptSearch(before), stack.choices.searchUrl)) forgetImported(stack)
    writeFileAtomically(
      file,
      setInEnvironmentFile(before, { ...linesOf(stack), ...Object.fromEntries(wrongLines(stack)) }),
      0o600,
    )
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
    // Of a stack that never had a cluster in search's place nothing is said.
    ...(choices.searchUrl === ownSearch ? {} : { [choiceVariables.searchUrl]: choices.searchUrl }),
  }
}

function keptSearch(text: string): string {
  return parseEnvironmentFile(text)[choiceVariables.searchUrl] ?? ownSearch
}

/** Whether two lists of addresses have none in common: a cluster that grew is the same. */
function isAnotherSearch(before: string, after: string): boolean {
  const known = new Set(before.split(','))
  return !after.split(',').some((address) => known.has(address))
}

function wrongLines(stack: Stack): [name: string, value: string][] {
  const { environmentFile: file } = stack.paths
  const found = existsSync(file) ? parseEnvironmentFile(readFileSync(file, 'utf8')) : {}
  const left = found[choiceVariables.searchUrl] ?? ownSearch
  const back: [string, string][] =
    stack.choices.searchUrl === ownSearch && left !== ownSearch ? [[choiceVariables.searchUrl, ownSearch]] : []
  return [...Object.entries(linesOf(stack)).filter(([name, value]) => found[name] !== value), ...back]
}
