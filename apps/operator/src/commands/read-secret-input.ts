import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Asks a question on the terminal; the end of input (Ctrl-D) is an empty answer, Ctrl-C ends the command as everywhere. */
export async function ask(question: string): Promise<string> {
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

/** A secret typed without echo, or the first line of standard input when that is no terminal. */
export async function readSecretInput(question: string): Promise<string> {
  const isTerminal = process.stdin.isTTY === true
  if (isTerminal) process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: silent, terminal: isTerminal })
  reader.on('SIGINT', interrupt)
  try {
    for await (const line of reader) return line
    return ''
  } finally {
    reader.close()
    if (isTerminal) process.stderr.write('\n')
  }
}
