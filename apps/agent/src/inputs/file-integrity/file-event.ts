import { basename, dirname, extname } from 'node:path'
import type { Fingerprint } from './fingerprint.ts'
import { shownPath } from './raw-names.ts'

/** What can happen to a file. */
export type FileAction = keyof typeof types

const types = { created: 'creation', updated: 'change', attributes_modified: 'change', deleted: 'deletion' } as const

/** What happened to a file between two fingerprints; undefined when nothing did. */
export function changeOf(before: Fingerprint | undefined, after: Fingerprint | undefined): FileAction | undefined {
  if (!before) return after ? 'created' : undefined
  if (!after) return 'deleted'
  const isSameContent =
    before.type === after.type &&
    before.size === after.size &&
    before.target === after.target &&
    (before.sha256 !== undefined && after.sha256 !== undefined
      ? before.sha256 === after.sha256
      : before.mtime === after.mtime)
  if (!isSameContent) return 'updated'
  const isSameOwner = before.mode === after.mode && before.uid === after.uid && before.gid === after.gid
  return isSameOwner ? undefined : 'attributes_modified'
}

/** The event of a change, in ECS's words; of a deleted file what was known of it. `who` are the fields that tell who did it. */
export function fileEvent(
  rawPath: string,
  action: FileAction,
  before: Fingerprint | undefined,
  after: Fingerprint | undefined,
  { file_integrity: writers, ...who }: Record<string, unknown> = {},
): Record<string, unknown> {
  const shown = after ?? before
  const path = shownPath(rawPath)
  const extension = extname(path).slice(1)
  return {
    message: `${path} ${action.replace('_', ' ')}`,
    event: { kind: 'event', module: 'file_integrity', category: ['file'], type: [types[action]], action },
    file: {
      path,
      name: basename(path),
      directory: dirname(path),
      ...(extension === '' ? {} : { extension }),
      ...(shown ? describe(shown) : {}),
    },
    ...who,
    ...(writers || (before && after)
      ? { file_integrity: { ...(before && after ? { before: describe(before) } : {}), ...(writers ?? {}) } }
      : {}),
  }
}

function describe({
  type,
  size,
  mode,
  uid,
  gid,
  inode,
  mtime,
  ctime,
  sha256,
  target,
}: Fingerprint): Record<string, unknown> {
  return {
    type,
    size,
    mode,
    uid: String(uid),
    gid: String(gid),
    inode: String(inode),
    ...(type === 'dir' ? {} : { mtime: new Date(mtime).toISOString(), ctime: new Date(ctime).toISOString() }),
    ...(sha256 === undefined ? {} : { hash: { sha256 } }),
    ...(target === undefined ? {} : { target_path: target }),
  }
}
