import { AppError, alerterErrors } from '@logstack/errors'
import type { SearchClient } from '@logstack/search-client'
import type { Progress } from './progress.ts'

/** One shard of an index and how far it may be read: every operation up to `checkpoint` is there, -1 when it is empty. */
export interface ShardCheckpoint {
  readonly index: string
  readonly shard: number
  readonly shards: number
  readonly checkpoint: number
}

interface ResolvedIndices {
  readonly indices?: readonly { readonly name: string; readonly attributes?: readonly string[] }[]
  readonly aliases?: readonly { readonly indices: readonly string[] }[]
  readonly data_streams?: readonly { readonly backing_indices: readonly string[] }[]
}

const requestsAtOnceMax = 8
/** Of a pattern whose indices search told of in one answer with all others: years of daily indices, of which few are written to. */
const toldIndicesMax = 10_000

/**
 * Finds the indices behind a pattern and their checkpoints: those that search told of together, the others one by one. Answers of one instance are shared, so it
 * serves one round only.
 */
export class ShardReader {
  readonly #client: SearchClient
  readonly #indicesMax: number
  readonly #progress: () => Promise<Progress | undefined>
  readonly #resolved = new Map<string, Promise<readonly string[]>>()
  readonly #checkpoints = new Map<string, Promise<readonly ShardCheckpoint[]>>()

  constructor(client: SearchClient, indicesMax: number, progress: () => Promise<Progress | undefined>) {
    this.#client = client
    this.#indicesMax = indicesMax
    this.#progress = progress
  }

  /** The shards behind a pattern; none when it matches no index. Throws `too_many_indices`. */
  async shardsOf(pattern: string): Promise<ShardCheckpoint[]> {
    const progress = await this.#progress()
    const told = progress?.indicesOf(pattern)
    if (progress !== undefined && told !== undefined) {
      this.#refuseMany(pattern, told.length, Math.max(this.#indicesMax, toldIndicesMax))
      return told.map((index) => ({ index, shard: 0, shards: 1, checkpoint: progress.checkpointOf(index) }))
    }
    const indices = await remember(this.#resolved, pattern, () => this.#resolve(pattern))
    const shards: ShardCheckpoint[] = []
    for (let from = 0; from < indices.length; from += requestsAtOnceMax) {
      const batch = indices.slice(from, from + requestsAtOnceMax)
      const found = batch.map((index) => remember(this.#checkpoints, index, () => this.#read(index)))
      shards.push(...(await Promise.all(found)).flat())
    }
    return shards
  }

  async #resolve(pattern: string): Promise<readonly string[]> {
    const { body } = await this.#client.request<ResolvedIndices>({
      method: 'GET',
      path: `/_resolve/index/${encodeURIComponent(pattern)}`,
      accept: [404],
    })
    const names = new Set([
      ...(body.data_streams ?? []).flatMap((stream) => stream.backing_indices),
      ...(body.aliases ?? []).flatMap((alias) => alias.indices),
      ...(body.indices ?? []).map((index) => index.name),
    ])
    for (const { name, attributes } of body.indices ?? []) if (attributes?.includes('closed')) names.delete(name)
    this.#refuseMany(pattern, names.size, this.#indicesMax)
    return [...names].sort()
  }

  #refuseMany(pattern: string, found: number, indicesMax: number): void {
    if (found <= indicesMax) return
    throw new AppError(
      alerterErrors.too_many_indices,
      `[${pattern}] matches ${found} indices, the most is ${indicesMax}`,
      { fix: "narrow the rule's index pattern, or raise indices_max in config/alerter.yml" },
    )
  }

  async #read(index: string): Promise<readonly ShardCheckpoint[]> {
    const { globalCheckpoints } = await this.#client.capabilities()
    const checkpoints = globalCheckpoints ? await this.#fromFleet(index) : await this.#fromStats(index)
    return checkpoints.map((checkpoint, shard) => ({ index, shard, shards: checkpoints.length, checkpoint }))
  }

  // An index that was deleted since it was resolved has nothing to read.
  async #fromFleet(index: string): Promise<readonly number[]> {
    const { body } = await this.#client.request<{ global_checkpoints?: readonly number[] }>({
      method: 'GET',
      path: `/${encodeURIComponent(index)}/_fleet/global_checkpoints`,
      accept: [404],
    })
    return body.global_checkpoints ?? []
  }

  // OpenSearch has no such endpoint, but its statistics hold the same numbers.
  async #fromStats(index: string): Promise<readonly number[]> {
    interface Stats {
      readonly indices?: Readonly<
        Record<
          string,
          { shards: Record<string, { routing: { primary: boolean }; seq_no: { global_checkpoint: number } }[]> }
        >
      >
    }
    const path = `/${encodeURIComponent(index)}/_stats`
    const { body } = await this.#client.request<Stats>({
      method: 'GET',
      path,
      query: { level: 'shards' },
      accept: [404],
    })
    const shards = Object.entries(body.indices?.[index]?.shards ?? {}).sort(
      ([left], [right]) => Number(left) - Number(right),
    )
    return shards.map(([, copies]) => copies.find(({ routing }) => routing.primary)?.seq_no.global_checkpoint ?? -1)
  }
}

function remember<T>(answers: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const known = answers.get(key) ?? ask()
  answers.set(key, known)
  return known
}
