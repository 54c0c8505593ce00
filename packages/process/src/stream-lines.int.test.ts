import { expect, it } from 'vitest'
import { streamLines } from './index.ts'

const node = (script: string): string[] => [process.execPath, '-e', script]

it('gives lines as they come and stops when asked to', async () => {
  const stopping = new AbortController()
  const lines: string[] = []
  const script = 'let n = 0; setInterval(() => console.log("line " + n++), 5)'
  for await (const line of streamLines(node(script), { signal: stopping.signal })) {
    lines.push(line)
    if (lines.length === 3) stopping.abort()
  }
  expect(lines.slice(0, 3)).toEqual(['line 0', 'line 1', 'line 2'])
})

it('ends with the program, and throws when it fails or is missing', async () => {
  const read = async (argv: string[]): Promise<string[]> => {
    const lines: string[] = []
    for await (const line of streamLines(argv)) lines.push(line)
    return lines
  }
  expect(await read(node('console.log("a\\nb")'))).toEqual(['a', 'b'])
  await expect(read(node('process.exit(1)'))).rejects.toMatchObject({ code: 'command_failed' })
  await expect(read(['no-such-program-anywhere'])).rejects.toMatchObject({ code: 'command_missing' })
})

it('takes the end of a program that a signal from the terminal reached first for what was asked', async () => {
  const stopping = new AbortController()
  const script = 'console.log("ready"); process.on("SIGINT", () => process.exit(130)); setInterval(() => {}, 1000)'
  const lines: string[] = []
  const argv = ['sh', '-c', `echo $$; exec ${process.execPath} -e '${script}'`]
  for await (const line of streamLines(argv, { signal: stopping.signal })) {
    lines.push(line)
    if (line !== 'ready') continue
    process.kill(Number(lines[0]), 'SIGINT')
    // As it comes to this process: a moment later.
    setTimeout(() => stopping.abort(), 50)
  }
  expect(lines.slice(1)).toEqual(['ready'])
})
