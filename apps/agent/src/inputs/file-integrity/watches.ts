import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { nameOf, onDisk } from './raw-names.ts'

/** Inotify watches of folders, up to a number; tells which paths may have changed. */
export class Watches {
  readonly #watches = new Map<string, { readonly watcher: FSWatcher; readonly inode: number }>()
  readonly #max: number
  readonly #changed: (path: string) => void
  #refused: string | undefined

  constructor(max: number, changed: (path: string) => void) {
    this.#max = max
    this.#changed = changed
  }

  /** Why not every folder is watched; undefined while all are. */
  get refused(): string | undefined {
    return this.#refused
  }

  /** Watches the folder that has the inode now; another one that was there is left. */
  add(folder: string, inode: number): void {
    const before = this.#watches.get(folder)
    if (before?.inode === inode) return
    if (before) this.remove(folder)
    if (this.#watches.size >= this.#max) {
      this.#refused = `only ${this.#max} folders are watched, the others are looked at on schedule`
      return
    }
    try {
      const watcher = watch(onDisk(folder), { encoding: 'buffer' }, (_event, name) =>
        this.#changed(name === null ? folder : join(folder, nameOf(name))),
      )
      watcher.on('error', () => this.remove(folder))
      this.#watches.set(folder, { watcher, inode })
    } catch (thrown) {
      const { code, message } = thrown as NodeJS.ErrnoException
      // It was removed meanwhile; anything else (ENOSPC: the host's limit of watches) leaves the schedule.
      if (code !== 'ENOENT') this.#refused = message
    }
  }

  remove(folder: string): void {
    this.#watches.get(folder)?.watcher.close()
    this.#watches.delete(folder)
  }

  close(): void {
    for (const { watcher } of this.#watches.values()) watcher.close()
    this.#watches.clear()
  }
}
