import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Asks a question on the terminal; the end of input (Ctrl-D) is an empty answer, Ctrl-C ends the command as everywhere. */
export async function ask(question: string): Promise<string> {
  if (process.stdin.isTTY !== true) {
    process.stderr.write(question)
    return pipedLine()
  }
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  reader.on('SIGINT', interrupt)
  try {
    return await Promise.race([reader.question(question), once(reader, 'close').then(() => '')])
  } catch (thrown) {
    // Ctrl-D, in newer versions of Node.js.
    if ((thrown as NodeJS.ErrnoException).code === 'ABORT_ERR') return ''
    throw thrown
  } finally {
    reader.close()
  }
}

// While a line is read the terminal hands Ctrl-C over as a key.
function interrupt(): void {
  process.kill(process.pid, 'SIGINT')
}

/** A secret typed without echo, or the next line of standard input when that is no terminal. */
export async function readSecretInput(question: string): Promise<string> {
  if (process.stdin.isTTY !== true) return pipedLine()
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: silent, terminal: true })
  reader.on('SIGINT', interrupt)
  try {
    for await (const line of reader) return line
    return ''
  } finally {
    reader.close()
    process.stderr.write('\n')
  }
}

/** What came of standard input behind the lines that were asked for: a script may answer several questions at once. */
let ahead = ''

/** The next line of standard input, without its end; empty when there is none. */
async function pipedLine(): Promise<string> {
  process.stdin.setEncoding('utf8')
  while (!ahead.includes('\n')) {
    const chunk = await nextChunk()
    if (chunk === undefined) break
    ahead += chunk
  }
  const end = ahead.includes('\n') ? ahead.indexOf('\n') : ahead.length
  const line = ahead.slice(0, end)
  ahead = ahead.slice(end + 1)
  return line.replace(/\r$/, '')
}

async function nextChunk(): Promise<string | undefined> {
  const input = process.stdin
  input.ref?.()
  try {
    for (;;) {
      const chunk = input.read() as string | null
      if (chunk !== null) return chunk
      if (input.readableEnded) return undefined
      await Promise.race([once(input, 'readable'), once(input, 'end')])
    }
  } finally {
    // Nobody may close the other end; that keeps no command from ending.
    input.unref?.()
  }
}
