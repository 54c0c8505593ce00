import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { CutDisk } from './cut-disk.ts'

/** A program on a disk whose power is cut. */
export interface CutRun {
  /** Program and arguments; it says what it did in JSON lines. */
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The power is cut at a random moment within this time after the first line. */
  readonly lifeMsMax: number
  /** Hears each line, and whether it came after the cut: a machine without power says nothing, though this one still does. */
  hear(told: unknown, isAfterCut: boolean): void
}

/** Lets a program work on a disk for a while, then cuts the power and kills it. Throws what it complained of when it ended by itself. */
export async function runUntilCut(disk: CutDisk, { command: wanted, env, lifeMsMax, hear }: CutRun): Promise<void> {
  await disk.released()
  const [command, argv] = disk.command([...wanted])
  const child = spawn(command, argv, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  let complaints = ''
  child.stderr.on('data', (data: Buffer) => {
    complaints += String(data)
  })
  let isCut = false
  const cut = (): void => {
    isCut = true
    disk.cut(child.pid ?? 0)
    child.kill('SIGKILL')
  }
  let timer: NodeJS.Timeout | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    // The kill may cut the last line.
    if (line.endsWith('}')) hear(JSON.parse(line), isCut)
    timer ??= setTimeout(cut, Math.random() * lifeMsMax)
  }
  clearTimeout(timer)
  await ended
  if (!isCut) throw new Error(`the program ended before the power was cut: ${complaints}`)
}
