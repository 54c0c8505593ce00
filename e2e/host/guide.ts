import { readFileSync } from 'node:fs'

const kinds = ['plain', 'watch', 'ask', 'elsewhere', 'disk'] as const

/** One command of the operator's guide, as it stands there. */
interface GuideCommand {
  readonly command: string
  /** `watch`: goes on until Ctrl-C. `ask`: asks on a terminal. `elsewhere`: for another host. `disk`: needs another disk, `/dev/sdb1`. */
  readonly kind: (typeof kinds)[number]
}

const folder = new URL('../../docs/operator/', import.meta.url).pathname

/** The commands of a page of docs/operator, in their order: every line of a block that is fenced as `sh`, or `sh` and a kind. */
function guideCommands(page: string): GuideCommand[] {
  const text = readFileSync(`${folder}${page}`, 'utf8')
  return [...text.matchAll(/^```sh(?: (\w+))?\n([\s\S]*?)^```$/gm)].flatMap(([, name = 'plain', block = '']) => {
    const kind = kinds.find((known) => known === name)
    if (!kind) throw new Error(`${page}: unknown kind [${name}]`)
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
    printed.set(command, await shell(`set -eu; ${scriptOf(command, kind)}`))
  }
  return printed
}

function scriptOf(command: string, kind: GuideCommand['kind']): string {
  // A terminal at which somebody says yes to everything.
  if (kind === 'ask')
    return `printf 'y\\ny\\ny\\n' | script --quiet --return --command '${command.replaceAll("'", `'\\''`)}' /dev/null`
  if (kind !== 'watch') return command
  // Ctrl-C once it has shown something, however long that takes; what was started in the background would not heed it without `timeout`.
  return `shown=$(mktemp); timeout --signal=INT 240 ${command} >"$shown" & watched=$!
    until [ -s "$shown" ] || ! kill -0 $watched; do sleep 0.2; done
    kill -INT $watched; wait $watched || [ $? = 130 ]; cat "$shown"`
}
