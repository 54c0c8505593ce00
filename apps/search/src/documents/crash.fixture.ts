import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { CrashIntent, CrashLine } from './crash.child.ts'

const lifeMsMax = 1_000
const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** Builds one of the programs of the crash tests; gives its path, beside the packages that stay outside of it, and what removes it. */
export async function buildProgram(source: URL): Promise<{ readonly path: string; remove(): void }> {
  const program = join(root, `node_modules/.cache/${basename(source.pathname, '.ts')}-${process.pid}.mjs`)
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external: ['chdb', 'lmdb'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
  })
  return { path: program, remove: () => rmSync(program, { force: true }) }
}

/** What is there: values by their keys, indices by the documents without a key that are in them, and what is there twice. */
export interface FoundDocuments {
  readonly keys: readonly (readonly [key: string, value: number])[]
  readonly unique: readonly (readonly [document: string, index: string])[]
  readonly twice: readonly string[]
}

/** What the clients were told, and what may or may not have happened when the process died. */
export class Model {
  readonly keys = new Map<string, number>()
  /** The index each document with an automatic id is in. */
  readonly unique = new Map<string, string>()
  readonly open = new Map<number, CrashIntent>()
  acknowledged = 0
  dropped = 0

  read(line: CrashLine): void {
    if ('intent' in line) this.open.set(line.intent.client, line.intent)
    if ('ack' in line) this.#acknowledge(line.ack)
  }

  #acknowledge(client: number): void {
    const intent = this.open.get(client)
    if (intent === undefined) throw new Error('BUG: an acknowledgement without an intent')
    this.open.delete(client)
    this.acknowledged += Object.keys(intent.keys).length + Object.keys(intent.unique).length
    for (const [unique, index] of Object.entries(intent.unique)) this.unique.set(unique, index)
    if (intent.dropped !== undefined) {
      this.dropped += 1
      for (const [unique, index] of this.unique) if (index === intent.dropped) this.unique.delete(unique)
    }
    for (const [key, value] of Object.entries(intent.keys)) {
      if (value === null) this.keys.delete(key)
      else this.keys.set(key, value)
    }
  }

  /** Everything that is wrong with what is there; what was under way is taken over as it was found. */
  faults(found: FoundDocuments): string[] {
    const [keys, unique] = [new Map(found.keys), new Map(found.unique)]
    const faults = [...found.twice]
    const pending = new Map([...this.open.values()].flatMap((intent) => Object.entries(intent.keys)))
    const maybe = new Set([...this.open.values()].flatMap((intent) => Object.keys(intent.unique)))
    const maybeDropped = new Set([...this.open.values()].map(({ dropped }) => dropped))
    for (const key of new Set([...keys.keys(), ...this.keys.keys()])) {
      const found = keys.get(key)
      const fine = found === this.keys.get(key) || (pending.has(key) && (pending.get(key) ?? undefined) === found)
      if (!fine)
        faults.push(`[${key}] is ${found}, acknowledged was ${this.keys.get(key)}, under way ${pending.get(key)}`)
    }
    for (const [one, index] of this.unique)
      if (!unique.has(one) && !maybeDropped.has(index)) faults.push(`[${one}] of [${index}] is lost`)
    for (const [one, index] of unique)
      if (!this.unique.has(one) && !maybe.has(one)) faults.push(`[${one}] of [${index}] was never written, or deleted`)
    this.keys.clear()
    for (const [key, value] of keys) this.keys.set(key, value)
    this.unique.clear()
    for (const [one, index] of unique) this.unique.set(one, index)
    this.open.clear()
    return faults
  }
}

/**
 * Lets the program of a command write for a while after it is ready, up to a second, and ends it by `end`; that of every fourth run may end before anything
 * was acknowledged. Gives what it complained of where it ended by itself before.
 */
export async function writeUntil(
  [command, argv]: readonly [command: string, argv: readonly string[]],
  run: number,
  model: Model,
  end: (child: ChildProcess) => void,
): Promise<string> {
  const child = spawn(command, argv, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  let complaints = ''
  child.stderr.on('data', (data: Buffer) => {
    complaints += String(data)
  })
  let [timer, isEnded]: [NodeJS.Timeout | undefined, boolean] = [undefined, false]
  for await (const text of createInterface({ input: child.stdout })) {
    // The kill may cut the last line.
    if (!text.endsWith('}')) continue
    const line = JSON.parse(text) as CrashLine
    // Most runs live until something was acknowledged; some die while the first writes are under way.
    if (run % 4 === 0 ? 'ready' in line : 'ack' in line)
      timer ??= setTimeout(() => {
        isEnded = true
        end(child)
      }, Math.random() * lifeMsMax)
    model.read(line)
  }
  clearTimeout(timer)
  await ended
  return isEnded ? '' : complaints || 'the child ended by itself'
}
