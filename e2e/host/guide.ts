import { readFileSync } from 'node:fs'

/** One command of the operator's guide, as it stands there. */
interface GuideCommand {
  readonly command: string
  /** `watch`: goes on until Ctrl-C. `elsewhere`: for another host. */
  readonly kind: 'plain' | 'watch' | 'elsewhere'
}

const folder = new URL('../../docs/operator/', import.meta.url).pathname

/** The commands of a page of docs/operator, in their order: every line of a block that is fenced as `sh`, `sh watch` or `sh elsewhere`. */
function guideCommands(page: string): GuideCommand[] {
  const text = readFileSync(`${folder}${page}`, 'utf8')
  return [...text.matchAll(/^```sh(?: (\w+))?\n([\s\S]*?)^```$/gm)].flatMap(([, kind = 'plain', block = '']) => {
    if (kind !== 'plain' && kind !== 'watch' && kind !== 'elsewhere') throw new Error(`${page}: unknown kind [${kind}]`)
    return block
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((command): GuideCommand => ({ command, kind }))
  })
}

/** Runs the commands of one kind on a page as they stand there; each must end with 0. Answers what each printed, by its text. */
export async function runGuide(
  page: string,
  shell: (script: string) => Promise<string>,
  kind: GuideCommand['kind'] = 'plain',
): Promise<Map<string, string>> {
  const printed = new Map<string, string>()
  for (const { command } of guideCommands(page).filter((found) => found.kind === kind)) {
    // What goes on until Ctrl-C gets one; 124 is how timeout tells that it did.
    const script = kind === 'watch' ? `timeout --signal=INT 5 ${command} || [ $? = 124 ]` : command
    printed.set(command, await shell(`set -eu; ${script}`))
  }
  return printed
}
