import { basename, dirname } from 'node:path'
import type { Actor, AuditEvent, TouchedPath } from './audit-events.ts'

const deedsMax = 8_192
// A file is opened for writing before it is written, and audit tells of the opening alone.
const writingMs = 10_000
// The kernel stamps records with the time of its last tick.
const tickMs = 20
const actorsMax = 8

/** A change of a path, seen between two looks at it. */
export interface SeenChange {
  readonly path: string
  readonly action: 'created' | 'updated' | 'attributes_modified' | 'deleted'
  /** Of the file before and after. */
  readonly inodes: readonly number[]
  /** When the last of it happened, where the file tells. */
  readonly happened: number | undefined
  /** When nothing of it had happened. */
  readonly since: number
  /** When it was seen: what was done later is of another change. */
  readonly seen: number
}

/** Something that was done to a path. */
export interface Deed extends TouchedPath {
  readonly time: number
  readonly actor: Actor
  /** Whether our own rule told of it, so that the path is below a watched folder whatever it is called. */
  readonly isOwn: boolean
  /** Whether it is one side of a move. */
  readonly isMove: boolean
}

const kinds: Readonly<Record<SeenChange['action'], readonly TouchedPath['kind'][]>> = {
  created: ['CREATE'],
  updated: ['NORMAL', 'CREATE'],
  attributes_modified: ['NORMAL', 'CREATE'],
  deleted: ['DELETE'],
}

/** What others may have done beside, between the same two looks: written what was just made, deleted what was made again. */
const besides: typeof kinds = { created: ['NORMAL'], updated: ['DELETE'], attributes_modified: [], deleted: [] }

/** What audit told of lately, to be joined with changes that were seen; the oldest go when there are too many. */
export class Deeds {
  readonly #byPath = new Map<string, Set<Deed>>()
  readonly #byInode = new Map<number, Set<Deed>>()
  readonly #inOrder = new Set<Deed>()
  readonly #told = new WeakSet<Deed>()

  get size(): number {
    return this.#inOrder.size
  }

  remember({ time, actor, paths }: AuditEvent, isOwn: boolean): void {
    for (const path of paths) {
      const isMove = paths.some(({ kind, inode }) => kind !== path.kind && kind !== 'NORMAL' && inode === path.inode)
      const deed: Deed = { ...path, time, actor, isOwn, isMove: isMove && path.kind !== 'NORMAL' }
      this.#inOrder.add(deed)
      if (deed.path !== undefined) addTo(this.#byPath, deed.path, deed)
      addTo(this.#byInode, deed.inode, deed)
      for (const [oldest] of this.#inOrder.size > deedsMax ? this.#inOrder.entries() : []) {
        this.#forget(oldest)
        break
      }
    }
  }

  /** The deeds behind a change that no earlier one was told with, in order; the last one did at least its last step. */
  fresh(change: SeenChange): Deed[] {
    const found = this.#behind(change).filter((deed) => !this.#told.has(deed))
    return found.some(({ kind }) => kinds[change.action].includes(kind)) ? found : this.#ofFolder(change)
  }

  /** The same; where there is none, those of the change before, as who holds a file open writes again without another word of audit. */
  all(change: SeenChange): Deed[] {
    const fresh = this.fresh(change)
    return fresh.length > 0 || change.action !== 'updated' ? fresh : this.#behind(change)
  }

  /** A change was told with these. */
  tell(deeds: readonly Deed[], { path, seen }: SeenChange): void {
    // Whatever else was done to the path had been done when the change was seen.
    for (const deed of this.#byPath.get(path) ?? []) if (deed.time <= seen) this.#told.add(deed)
    // One move of a folder is behind the change of everything in it.
    for (const deed of deeds) if (deed.path === undefined || !path.startsWith(`${deed.path}/`)) this.#told.add(deed)
  }

  #behind(change: SeenChange): Deed[] {
    const { path, action, inodes, happened, since, seen } = change
    const earliest = happened === undefined ? since : happened - writingMs
    const isInTime = ({ time }: Deed): boolean => time >= earliest && time <= seen + tickMs
    const isKind = ({ kind }: Deed): boolean => kinds[action].includes(kind)
    const ofPath = [...(this.#byPath.get(path) ?? [])].filter(isInTime)
    const ofInode = inodes.flatMap((inode) => [...(this.#byInode.get(inode) ?? [])]).filter(isInTime)
    const name = basename(path)
    // A path beside a folder that only a descriptor names is taken as one of the working folder: the inode tells better.
    const certain = ofInode.filter((deed) => isKind(deed) && this.#isNamed(deed, name))
    const likely = ofPath.filter((deed) => isKind(deed) && deed.isOwn && !certain.includes(deed))
    const beside = ofPath.filter(({ kind, isOwn }) => isOwn && besides[action].includes(kind))
    return certain.length + likely.length > 0 ? [...inOrder([...beside, ...likely]), ...inOrder(certain)] : []
  }

  /** Whether a deed was done to a file of this name: a deed by descriptor alone to the one that had the inode then, as inodes are soon given anew. */
  #isNamed(deed: Deed, name: string): boolean {
    if (deed.path !== undefined) return basename(deed.path) === name
    const named = [...(this.#byInode.get(deed.inode) ?? [])].findLast(
      ({ path, time }) => path !== undefined && time <= deed.time,
    )
    return named?.path === undefined || basename(named.path) === name
  }

  /** What came or went with a folder that was moved; what is newer than the move did not come by it. */
  #ofFolder({ path, action, happened, since, seen }: SeenChange): Deed[] {
    if (action !== 'created' && action !== 'deleted') return []
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      const found = [...(this.#byPath.get(folder) ?? [])].filter(
        ({ isOwn, isMove, kind, time }) =>
          isOwn && isMove && kinds[action].includes(kind) && time >= Math.max(since, happened ?? since) && time <= seen,
      )
      if (found.length > 0) return inOrder(found)
    }
    return []
  }

  #forget(deed: Deed): void {
    this.#inOrder.delete(deed)
    if (deed.path !== undefined) removeFrom(this.#byPath, deed.path, deed)
    removeFrom(this.#byInode, deed.inode, deed)
  }
}

/** Each process once, the one that acted last at the end. */
export function actorsOf(deeds: readonly Deed[]): Actor[] {
  const byProcess = new Map<number, Actor>()
  for (const { actor } of deeds) {
    byProcess.delete(actor.pid)
    byProcess.set(actor.pid, actor)
  }
  return [...byProcess.values()].slice(-actorsMax)
}

function inOrder(deeds: readonly Deed[]): Deed[] {
  return [...new Set(deeds)].sort((a, b) => a.time - b.time)
}

function addTo<K>(index: Map<K, Set<Deed>>, key: K, deed: Deed): void {
  const deeds = index.get(key)
  if (deeds) deeds.add(deed)
  else index.set(key, new Set([deed]))
}

function removeFrom<K>(index: Map<K, Set<Deed>>, key: K, deed: Deed): void {
  const deeds = index.get(key)
  deeds?.delete(deed)
  if (deeds?.size === 0) index.delete(key)
}
