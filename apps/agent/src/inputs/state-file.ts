import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { writeDurably } from '../durable-file.ts'

/** What an input remembers between starts, one JSON file a stream. A file that is lost or broken is as if it had never been. */
export class StateFile<T> {
  readonly #path: string
  readonly #schema: z.ZodType<T>

  constructor(folder: string, streamId: string, schema: z.ZodType<T>) {
    this.#path = join(folder, `${streamId.replace(/[^\w.-]/g, '_')}.json`)
    this.#schema = schema
  }

  read(): T | undefined {
    try {
      return this.#schema.safeParse(JSON.parse(readFileSync(this.#path, 'utf8'))).data
    } catch (thrown) {
      if (thrown instanceof SyntaxError || (thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw thrown
    }
  }

  write(state: T): void {
    writeDurably(this.#path, JSON.stringify(state))
  }
}
