import type { SearchClient } from '@logstack/search-client'
import { z } from 'zod'

const toldSchema = z.object({
  expressions: z.record(z.string(), z.array(z.string())),
  indices: z.record(z.string(), z.object({ uuid: z.string(), checkpoint: z.number(), written: z.number() })),
})

/** What search says of all indices that a round looks at, in one answer. */
export interface Progress {
  /** The open indices behind an expression, by name; undefined where it must be asked for alone. */
  indicesOf(expression: string): readonly string[] | undefined
  /** The sequence number up to which an index of these may be read, -1 for nothing. */
  checkpointOf(index: string): number
  /** What changes with every write to an index that was named by itself, and when it is made anew; undefined where that is not known. */
  markOf(index: string): string | undefined
}

/**
 * Asks for all expressions at once: with a question for each index a stack at rest did little else. Undefined where search cannot tell, as Elasticsearch and
 * OpenSearch cannot.
 */
export async function readProgress(
  client: SearchClient,
  expressions: readonly string[],
): Promise<Progress | undefined> {
  if ((await client.capabilities()).product !== 'logstack') return undefined
  const { status, body } = await client.request({
    method: 'POST',
    path: '/_logstack/checkpoints',
    body: { expressions: [...new Set(expressions)] },
    // A search of before this question.
    accept: [400, 404, 405],
  })
  if (status !== 200) return undefined
  const { data: told } = toldSchema.safeParse(body)
  return (
    told && {
      indicesOf: (expression) => told.expressions[expression],
      checkpointOf: (index) => told.indices[index]?.checkpoint ?? -1,
      markOf: (index) => {
        const found = told.expressions[index]?.length === 1 ? told.indices[index] : undefined
        return found && `${found.uuid} ${found.written}`
      },
    }
  )
}

/** What search says in this round, asked for when somebody first needs it. */
export class RoundProgress {
  readonly #ask: () => Promise<Progress | undefined>
  #asked: Promise<Progress | undefined> | undefined

  constructor(ask: () => Promise<Progress | undefined>) {
    this.#ask = ask
  }

  /** Forgets what was said: it is asked for anew. */
  begin(): void {
    this.#asked = undefined
  }

  /** Rejects for the whole round when search does not answer. */
  now(): Promise<Progress | undefined> {
    this.#asked ??= this.#ask()
    return this.#asked
  }

  /** The mark of an index (`Progress.markOf`). */
  async markOf(index: string): Promise<string | undefined> {
    return (await this.now())?.markOf(index)
  }
}

/** Reads something of an index again when the index was written to since. */
export class ReadWhenWritten {
  #mark: string | undefined

  /** Calls `read` unless `mark`, which was found before, is that of the last time; without a mark always. After a `read` that rejects it is called again. */
  async when(mark: string | undefined, read: () => Promise<void>): Promise<void> {
    if (mark !== undefined && mark === this.#mark) return
    this.#mark = undefined
    await read()
    this.#mark = mark
  }
}
