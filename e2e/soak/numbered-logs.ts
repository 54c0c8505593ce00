import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from './random.ts'

const paddingMax = 300

/** Log files of one host whose lines are numbered, `soak <host>/<file> <number> <padding>`, written and rotated as programs do. */
export class NumberedLogs {
  /** Lines written, by `<host>/<file>`. */
  readonly written = new Map<string, number>()
  rotations = 0
  readonly #folder: string
  readonly #host: string
  readonly #random: Random
  /** The second half of a line whose first half is in the file. */
  readonly #halves = new Map<string, string>()

  constructor(folder: string, host: string, files: readonly string[], random: Random) {
    this.#folder = folder
    this.#host = host
    this.#random = random
    for (const file of files) this.written.set(`${host}/${file}`, 0)
  }

  /** Writes the first line of each file. */
  begin(): void {
    for (const name of this.written.keys()) appendFileSync(this.#path(name), this.#line(name))
  }

  /** Adds some lines to one of the files; now and then only half of the last one. */
  write(count: number): void {
    const name = this.#random.of([...this.written.keys()])
    let text = this.#takeHalf(name)
    for (let line = 0; line < count; line += 1) text += this.#line(name)
    if (this.#random.next() < 0.3) {
      const cut = text.length - this.#random.between(1, 10)
      this.#halves.set(name, text.slice(cut))
      text = text.slice(0, cut)
    }
    appendFileSync(this.#path(name), text)
  }

  /** Does to one of the files what logrotate does with `delaycompress`: what was `.1` is compressed to `.2.gz`, each older one gets the next number. */
  rotate(): void {
    const name = this.#random.of([...this.written.keys()])
    this.finish(name)
    this.rotations += 1
    const path = this.#path(name)
    let oldest = 2
    while (existsSync(`${path}.${oldest}.gz`)) oldest += 1
    for (let number = oldest; number > 2; number -= 1) renameSync(`${path}.${number - 1}.gz`, `${path}.${number}.gz`)
    if (existsSync(`${path}.1`)) {
      renameSync(`${path}.1`, `${path}.2`)
      execFileSync('gzip', [`${path}.2`])
    }
    renameSync(path, `${path}.1`)
    appendFileSync(path, this.#line(name))
  }

  /** Writes what is left of half a line, of every file unless one is named. */
  finish(only?: string): void {
    for (const name of only ? [only] : this.written.keys()) appendFileSync(this.#path(name), this.#takeHalf(name))
  }

  #path(name: string): string {
    return join(this.#folder, name.slice(this.#host.length + 1))
  }

  #line(name: string): string {
    const number = this.written.get(name) ?? 0
    this.written.set(name, number + 1)
    return `soak ${name} ${number} ${'x'.repeat(this.#random.between(0, paddingMax))}\n`
  }

  #takeHalf(name: string): string {
    const half = this.#halves.get(name) ?? ''
    this.#halves.delete(name)
    return half
  }
}
