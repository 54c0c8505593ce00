import { existsSync, statSync } from 'node:fs'
import { runCommand } from '@logstack/process'
import { host } from '../../places/host.ts'
import { writeFileAtomically } from '../../places/write-file.ts'
import { unproven } from '../../telling/unproven.ts'
import { defineStep, findingOf } from '../define-step.ts'

const limitMs = 60_000

/** Completion for bash and zsh and the manual page, as the installed programs print them. */
export const shellHelp = defineStep({
  name: 'shell-help',
  title: 'completion and manual page',
  async diagnose() {
    return findingOf(outdatedHelp().map(([file, argv]) => `${host.launcher} ${argv.join(' ')} > ${file}`))
  },
  async apply() {
    for (const [file, argv] of outdatedHelp()) {
      const { stdout } = await runCommand([host.launcher, ...argv], { timeoutMs: limitMs })
      writeFileAtomically(file, stdout)
    }
  },
  async prove() {
    const [left] = outdatedHelp()
    if (left) throw unproven(`${left[0]} was not written`)
  },
})

/** The help files that are missing or older than the programs. */
function outdatedHelp(): [file: string, argv: readonly string[]][] {
  const programs = `${host.programDir}/dist/operator.mjs`
  const changedMs = existsSync(programs) ? statSync(programs).ctimeMs : 0
  return Object.entries(host.helpFiles).filter(([file]) => !existsSync(file) || statSync(file).ctimeMs < changedMs)
}
