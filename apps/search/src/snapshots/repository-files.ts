import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { AppError, messageOf, searchErrors } from '@logstack/errors'
import type { z } from 'zod'
import { flushDirectory } from '../documents/segment.ts'
import { isTemporary, makeFolder, writeDurably } from './durable-file.ts'
import { formats, type SnapshotRecord } from './format.ts'

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

const isNotThere = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR')

/** The free bytes that a repository leaves on its file system: search itself may need them. */
const keepFreeBytes = 128 * 1024 ** 2

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The files of one repository: `blobs/` by content, `snapshots/` with a record of each complete snapshot. Errors are `repository_exception`. */
export class RepositoryFiles {
  readonly folder: string
  readonly #name: string

  constructor(name: string, folder: string) {
    this.#name = name
    this.folder = folder
  }

  #fault(what: string, thrown: unknown): AppError {
    if (thrown instanceof AppError) return thrown
    return new AppError(searchErrors.repository_exception, `[${this.#name}] ${what}: ${messageOf(thrown)}`)
  }

  /** Makes its folders. */
  async prepare(): Promise<void> {
    try {
      await makeFolder(join(this.folder, '..'), this.folder.split('/').at(-1) ?? '')
      for (const name of ['blobs', 'snapshots']) await makeFolder(this.folder, name)
    } catch (thrown) {
      throw this.#fault(`cannot make the folders of [${this.folder}]`, thrown)
    }
  }

  /** Writes, reads and removes a small file. Throws `repository_verification_exception`. */
  async verify(): Promise<void> {
    const content = Buffer.from(`logstack ${Date.now()}`)
    const name = 'verify'
    try {
      await writeDurably(this.folder, name, content)
      if (!(await readFile(join(this.folder, name))).equals(content))
        throw new Error('other bytes were read than written')
      await rm(join(this.folder, name))
    } catch (thrown) {
      const why = `[${this.#name}] path [${this.folder}] is not accessible: ${messageOf(thrown)}`
      throw new AppError(searchErrors.repository_verification_exception, why)
    }
  }

  /** Where the file of a blob is. */
  path(sha256: string): string {
    return join(this.folder, 'blobs', sha256.slice(0, 2), sha256)
  }

  /** Packs and writes bytes; a blob of the same content that is there already stays. */
  async put(content: Buffer): Promise<Blob> {
    const packed = await pack(content, { level: packLevel })
    const sha256 = hashOf(packed)
    try {
      if ((await this.bytesOf(sha256)) === packed.length) return { sha256, bytes: packed.length, isNew: false }
      const { bavail, bsize } = await statfs(this.folder)
      if (bavail * bsize < packed.length + keepFreeBytes)
        throw new Error(`no space left: ${bavail * bsize} bytes are free, and [${keepFreeBytes}] stay free for search`)
      await makeFolder(join(this.folder, 'blobs'), sha256.slice(0, 2))
      await writeDurably(join(this.folder, 'blobs', sha256.slice(0, 2)), sha256, packed)
    } catch (thrown) {
      throw this.#fault('cannot write a file', thrown)
    }
    return { sha256, bytes: packed.length, isNew: true }
  }

  /** The size of a blob; undefined when it is not there. */
  async bytesOf(sha256: string): Promise<number | undefined> {
    try {
      return (await stat(this.path(sha256))).size
    } catch (thrown) {
      if (isNotThere(thrown)) return undefined
      throw thrown
    }
  }

  /** The packed bytes of a blob, proved by its checksum. */
  async checked(sha256: string): Promise<Buffer> {
    let packed: Buffer
    try {
      packed = await readFile(this.path(sha256))
    } catch (thrown) {
      throw this.#fault(`cannot read file [${sha256}]`, thrown)
    }
    const found = hashOf(packed)
    if (found !== sha256) throw this.#fault(`file [${sha256}] is damaged`, new Error(`its checksum is [${found}]`))
    return packed
  }

  /** A JSON blob, proved by its checksum and its form. */
  async json<T>(sha256: string, form: z.ZodType<T>): Promise<T> {
    const packed = await this.checked(sha256)
    try {
      return form.parse(JSON.parse((await unpack(packed)).toString('utf8')))
    } catch (thrown) {
      throw this.#fault(`cannot read the content of file [${sha256}]`, thrown)
    }
  }

  /** Every blob that is there, with its size. */
  async blobs(): Promise<{ readonly sha256: string; readonly bytes: number }[]> {
    const found: { sha256: string; bytes: number }[] = []
    for (const part of await this.#names('blobs')) {
      for (const name of await this.#names(join('blobs', part))) {
        const bytes = isTemporary(name) ? undefined : await this.bytesOf(name)
        if (bytes !== undefined) found.push({ sha256: name, bytes })
      }
    }
    return found
  }

  /** Removes blobs; those that are gone already are fine. */
  async remove(blobs: Iterable<string>): Promise<void> {
    try {
      for (const sha256 of blobs) await rm(this.path(sha256), { force: true })
    } catch (thrown) {
      throw this.#fault('cannot remove a file', thrown)
    }
  }

  /** Removes what crashes left of files that were never finished; answers how many, and their bytes. */
  async removeUnfinished(): Promise<{ readonly files: number; readonly bytes: number }> {
    let files = 0
    let bytes = 0
    const parts = (await this.#names('blobs')).map((part) => join('blobs', part))
    for (const folder of ['.', 'snapshots', ...parts]) {
      for (const name of (await this.#names(folder)).filter(isTemporary)) {
        const path = join(this.folder, folder, name)
        bytes += (await stat(path)).size
        files += 1
        await rm(path, { force: true })
      }
    }
    return { files, bytes }
  }

  async #names(folder: string): Promise<string[]> {
    try {
      return await readdir(join(this.folder, folder))
    } catch (thrown) {
      if (isNotThere(thrown)) return []
      throw this.#fault(`cannot read folder [${folder}]`, thrown)
    }
  }

  /** The records of all complete snapshots, and the names of the files of records that are damaged. */
  async records(): Promise<{ readonly records: readonly SnapshotRecord[]; readonly damaged: readonly string[] }> {
    const records: SnapshotRecord[] = []
    const damaged: string[] = []
    for (const name of await this.#names('snapshots')) {
      const [, uuid, sha256] = /^([\w-]{22})\.([0-9a-f]{64})\.json$/.exec(name) ?? []
      if (uuid === undefined) continue
      const bytes = await readFile(join(this.folder, 'snapshots', name))
      const parsed = hashOf(bytes) === sha256 ? formats.record.safeParse(JSON.parse(bytes.toString('utf8'))) : undefined
      if (parsed?.success) records.push(parsed.data)
      else damaged.push(name)
    }
    records.sort((a, b) => a.startMs - b.startMs || (a.snapshot < b.snapshot ? -1 : 1))
    return { records, damaged }
  }

  /** Completes a snapshot: from here on it is listed. */
  async putRecord(record: SnapshotRecord): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(record))
    try {
      await writeDurably(join(this.folder, 'snapshots'), `${record.uuid}.${hashOf(bytes)}.json`, bytes)
    } catch (thrown) {
      throw this.#fault('cannot write the record of a snapshot', thrown)
    }
  }

  /** Takes a snapshot from the list. */
  async removeRecord(uuid: string): Promise<void> {
    try {
      for (const name of await this.#names('snapshots'))
        if (name.startsWith(`${uuid}.`)) await rm(join(this.folder, 'snapshots', name))
      await flushDirectory(join(this.folder, 'snapshots'))
    } catch (thrown) {
      throw this.#fault('cannot remove the record of a snapshot', thrown)
    }
  }
}
