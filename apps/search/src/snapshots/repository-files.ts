import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { AppError, messageOf, searchErrors } from '@logstack/errors'
import type { z } from 'zod'
import { formats, type SnapshotRecord } from './format.ts'
import type { RepositoryStorage } from './storage/storage.ts'

const pack = promisify(gzip)
const unpack = promisify(gunzip)
/** Rows are packed as they are written: this level takes a tenth of a core's second for ten megabytes. */
const packLevel = 4

/** A file of a repository, named by the SHA-256 of its bytes. */
export interface Blob {
  readonly sha256: string
  readonly bytes: number
  /** Whether it had to be written. */
  readonly isNew: boolean
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** By place, the blobs that were read and found damaged: they count as not there, so that the next snapshot that needs one writes it again. */
const damagedBlobs = new Map<string, Set<string>>()

const blobName = (sha256: string): string => `blobs/${sha256.slice(0, 2)}/${sha256}`

/** The files of one repository: `blobs/` by content, `snapshots/` with a record of each complete snapshot. Errors are `repository_exception`. */
export class RepositoryFiles {
  /** What tells this place from others. */
  readonly place: string
  readonly #name: string
  readonly #storage: RepositoryStorage

  constructor(name: string, storage: RepositoryStorage) {
    this.#name = name
    this.#storage = storage
    this.place = storage.place
  }

  #fault(what: string, thrown: unknown): AppError {
    if (thrown instanceof AppError) return thrown
    return new AppError(searchErrors.repository_exception, `[${this.#name}] ${what}: ${messageOf(thrown)}`)
  }

  async #attempt<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (thrown) {
      throw this.#fault(what, thrown)
    }
  }

  /** Makes its folders. */
  prepare(): Promise<void> {
    return this.#attempt(`cannot make the folders of [${this.place}]`, () => this.#storage.prepare())
  }

  /** Writes, reads and removes a small file. Throws `repository_verification_exception`. */
  async verify(): Promise<void> {
    const content = Buffer.from(`logstack ${Date.now()}`)
    try {
      await this.#storage.write('verify', content)
      if (!(await this.#storage.read('verify'))?.equals(content)) throw new Error('other bytes were read than written')
      await this.#storage.remove(['verify'])
    } catch (thrown) {
      const why = `[${this.#name}] path [${this.place}] is not accessible: ${messageOf(thrown)}`
      throw new AppError(searchErrors.repository_verification_exception, why)
    }
  }

  /** Packs and writes bytes; a blob of the same content that is there already stays. */
  async put(content: Buffer): Promise<Blob> {
    const packed = await pack(content, { level: packLevel })
    const sha256 = hashOf(packed)
    return this.#attempt('cannot write a file', async () => {
      const isNew = (await this.#sizeOf(sha256)) !== packed.length
      if (isNew) await this.#storage.write(blobName(sha256), packed)
      damagedBlobs.get(this.place)?.delete(sha256)
      return { sha256, bytes: packed.length, isNew }
    })
  }

  /** The size of a blob; undefined when it is not there, or known to be damaged. */
  bytesOf(sha256: string): Promise<number | undefined> {
    return this.#attempt(`cannot look for file [${sha256}]`, () => this.#sizeOf(sha256))
  }

  async #sizeOf(sha256: string): Promise<number | undefined> {
    return damagedBlobs.get(this.place)?.has(sha256) ? undefined : this.#storage.size(blobName(sha256))
  }

  /** The packed bytes of a blob, proved by its checksum. */
  async checked(sha256: string): Promise<Buffer> {
    const packed = await this.#attempt(`cannot read file [${sha256}]`, async () => {
      const bytes = await this.#storage.read(blobName(sha256))
      if (bytes === undefined) throw new Error('it is not there')
      return bytes
    })
    const found = hashOf(packed)
    const damaged = damagedBlobs.get(this.place) ?? new Set()
    if (found === sha256) {
      damaged.delete(sha256)
      return packed
    }
    damagedBlobs.set(this.place, damaged.add(sha256))
    throw this.#fault(`file [${sha256}] is damaged`, new Error(`its checksum is [${found}]`))
  }

  /** Has a blob, proved by its checksum, as a file of this machine while `work` takes. */
  async withFile<T>(sha256: string, work: (path: string) => Promise<T>): Promise<T> {
    return this.#storage.withPath(blobName(sha256), await this.checked(sha256), work)
  }

  /** A JSON blob, proved by its checksum and its form. */
  async json<T>(sha256: string, form: z.ZodType<T>): Promise<T> {
    const packed = await this.checked(sha256)
    return this.#attempt(`cannot read the content of file [${sha256}]`, async () =>
      form.parse(JSON.parse((await unpack(packed)).toString('utf8'))),
    )
  }

  /** Every blob that is there, with its size. */
  async blobs(): Promise<{ readonly sha256: string; readonly bytes: number }[]> {
    const found = await this.#attempt('cannot list its files', () => this.#storage.list('blobs'))
    return found.map(({ name, bytes }) => ({ sha256: name.split('/').at(-1) ?? '', bytes }))
  }

  /** Removes blobs; those that are gone already are fine. */
  remove(blobs: Iterable<string>): Promise<void> {
    return this.#attempt('cannot remove a file', () => this.#storage.remove([...blobs].map(blobName)))
  }

  /** Removes what crashes left of files that were never finished; answers how many, and their bytes. */
  removeUnfinished(): Promise<{ readonly files: number; readonly bytes: number }> {
    return this.#attempt('cannot remove unfinished files', () => this.#storage.removeUnfinished())
  }

  async #recordNames(): Promise<string[]> {
    const found = await this.#attempt('cannot read folder [snapshots]', () => this.#storage.list('snapshots'))
    return found.map(({ name }) => name.slice('snapshots/'.length))
  }

  /** The records of all complete snapshots, and the names of the files of records that are damaged. */
  async records(): Promise<{ readonly records: readonly SnapshotRecord[]; readonly damaged: readonly string[] }> {
    const records: SnapshotRecord[] = []
    const damaged: string[] = []
    for (const name of await this.#recordNames()) {
      const [, uuid, sha256] = /^([\w-]{22})\.([0-9a-f]{64})\.json$/.exec(name) ?? []
      if (uuid === undefined) continue
      const bytes = await this.#attempt(`cannot read [${name}]`, () => this.#storage.read(`snapshots/${name}`))
      // Deleted since it was listed.
      if (bytes === undefined) continue
      const parsed = hashOf(bytes) === sha256 ? formats.record.safeParse(JSON.parse(bytes.toString('utf8'))) : undefined
      if (parsed?.success) records.push(parsed.data)
      else damaged.push(name)
    }
    records.sort((a, b) => a.startMs - b.startMs || (a.snapshot < b.snapshot ? -1 : 1))
    return { records, damaged }
  }

  /** Completes a snapshot: from here on it is listed. */
  putRecord(record: SnapshotRecord): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(record))
    return this.#attempt('cannot write the record of a snapshot', () =>
      this.#storage.write(`snapshots/${record.uuid}.${hashOf(bytes)}.json`, bytes),
    )
  }

  /** Takes a snapshot from the list. */
  async removeRecord(uuid: string): Promise<void> {
    const names = (await this.#recordNames()).filter((name) => name.startsWith(`${uuid}.`))
    await this.#attempt('cannot remove the record of a snapshot', () =>
      this.#storage.remove(names.map((name) => `snapshots/${name}`)),
    )
  }
}
