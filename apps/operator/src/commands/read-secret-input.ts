import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Asks a question on the terminal. */
export async function ask(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await reader.question(question)
  } finally {
    reader.close()
  }
}

/** A secret typed without echo, or the first line of standard input when that is no terminal. */
export async function readSecretInput(question: string): Promise<string> {
  const isTerminal = process.stdin.isTTY === true
  if (isTerminal) process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: silent, terminal: isTerminal })
  try {
    for await (const line of reader) return line
    return ''
  } finally {
    reader.close()
    if (isTerminal) process.stderr.write('\n')
  }
}
