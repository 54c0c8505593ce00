import { createHash } from 'node:crypto'
import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@logstack/errors'

const bytesMax = 512 * 1024
/** Agents take lines of a transfer into buffers of little more. */
const chunkBytes = 900
const controlMark = '#!-'
const mergedName = 'merged.mg'

/** The files that all agents are to have in their `etc/shared`, as agents take them: one after the other in one file. */
export interface SharedFiles {
  readonly md5: string
  /** Messages that hand them over, in their order. */
  readonly messages: readonly Buffer[]
}

/**
 * Reads the files of a folder, of which `agent.conf` is the configuration that agents put over their own. Undefined where there is no such folder or nothing in
 * it: agents keep what they have. Throws, with the reason, where a file cannot be handed over: agents remove those that are not among what they get. The
 * `merged.mg` of the old server's folder is left out, as it is what all of them are made into.
 */
export function readSharedFiles(folder: string): SharedFiles | undefined {
  const names = namesIn(folder)
  if (names.length === 0) return undefined
  const merged = Buffer.concat([
    Buffer.from('#default\n'),
    ...names.flatMap((name) => {
      const bytes = readTextFile(join(folder, name))
      return [Buffer.from(`!${bytes.length} ${name}\n`), bytes]
    }),
  ])
  if (merged.length > bytesMax) throw new Error(`${folder} has ${merged.length} bytes, more than ${bytesMax}`)
  const md5 = createHash('md5').update(merged).digest('hex')
  const messages = [
    Buffer.from(`${controlMark}up file ${md5} ${mergedName}\n`),
    ...chunksOf(merged),
    Buffer.from(`${controlMark}close file `),
  ]
  return { md5, messages }
}

/** The sum of the shared files that an agent says in a keep-alive that it has; `x` where it has none, undefined where it does not say. */
export function sharedSum(keepAlive: string): string | undefined {
  return /^(x|[0-9a-f]{32}) merged\.mg$/m.exec(keepAlive)?.[1]
}

function namesIn(folder: string): string[] {
  const entries = entriesIn(folder).filter(({ name }) => name !== mergedName && !name.startsWith('.'))
  const odd = entries.find((entry) => !entry.isFile() || !/^\w[\w.-]{0,127}$/.test(entry.name))
  if (odd)
    throw new Error(`${join(folder, odd.name)} is no file, or its name has more than letters, digits, _, . and -`)
  return entries.map(({ name }) => name).sort()
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new Error(`${folder}: ${messageOf(thrown)}`)
  }
}

/** Agents write what they get as text, Windows with line ends of its own, and end at a zero. */
function readTextFile(path: string): Buffer {
  const text = readFileSync(path, 'latin1')
  if (text.includes('\0')) throw new Error(`${path} is no text`)
  return Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1')
}

/** Pieces, of which none begins as a message about the connection does. */
function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    let end = Math.min(bytes.length, at + chunkBytes)
    while (bytes.toString('latin1', end, end + controlMark.length) === controlMark) end -= 1
    yield bytes.subarray(at, end)
    at = end
  }
}
