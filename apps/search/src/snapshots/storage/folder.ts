import { readdir, readFile, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { flushDirectory } from '../../documents/segment.ts'
import { isTemporary, makeFolder, writeDurably } from '../durable-file.ts'
import type { RepositoryStorage, StoredFile } from './storage.ts'

/** The free bytes that a repository leaves on its file system: search itself may need them. */
const keepFreeBytes = 128 * 1024 ** 2

const isNotThere = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR')

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (thrown) {
    if (isNotThere(thrown)) return undefined
    throw thrown
  }
}

async function removeAll(root: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(root, name), { force: true })
  for (const folder of new Set(names.map((name) => dirname(join(root, name)))))
    await unlessMissing(flushDirectory(folder))
}

async function writeFile(root: string, name: string, bytes: Buffer): Promise<void> {
  const { bavail, bsize } = await statfs(root)
  if (bavail * bsize < bytes.length + keepFreeBytes)
    throw new Error(`no space left: ${bavail * bsize} bytes are free, and [${keepFreeBytes}] stay free for search`)
  const folder = dirname(name)
  if (folder.includes('/')) await makeFolder(join(root, dirname(folder)), basename(folder))
  await writeDurably(join(root, folder), basename(name), bytes)
}

/** A folder of a file system. */
export function folderStorage(root: string): RepositoryStorage {
  const names = async (folder: string): Promise<string[]> => (await unlessMissing(readdir(join(root, folder)))) ?? []

  /** Names of files below a folder, unfinished ones among them. */
  async function below(folder: string): Promise<string[]> {
    const found: string[] = []
    for (const name of await names(folder)) {
      const inner = await names(join(folder, name))
      if (inner.length === 0) found.push(`${folder}/${name}`)
      else found.push(...inner.map((each) => `${folder}/${name}/${each}`))
    }
    return found
  }

  const size = async (name: string): Promise<number | undefined> => {
    const found = await unlessMissing(stat(join(root, name)))
    return found?.isFile() ? found.size : undefined
  }

  return {
    place: root,
    async prepare() {
      await makeFolder(dirname(root), basename(root))
      for (const name of ['blobs', 'snapshots']) await makeFolder(root, name)
    },
    size,
    read: (name) => unlessMissing(readFile(join(root, name))),
    write: (name, bytes) => writeFile(root, name, bytes),
    remove: (given) => removeAll(root, given),
    async list(folder) {
      const found: StoredFile[] = []
      for (const name of (await below(folder)).filter((each) => !isTemporary(each))) {
        const bytes = await size(name)
        if (bytes !== undefined) found.push({ name, bytes })
      }
      return found
    },
    async removeUnfinished() {
      const all = [...(await names('.')), ...(await below('snapshots')), ...(await below('blobs'))]
      const unfinished = all.filter(isTemporary)
      let bytes = 0
      for (const name of unfinished) bytes += (await size(name)) ?? 0
      await removeAll(root, unfinished)
      return { files: unfinished.length, bytes }
    },
    withPath: (name, _bytes, work) => work(join(root, name)),
  }
}
