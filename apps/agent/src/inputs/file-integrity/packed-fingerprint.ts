import { type Fingerprint, fingerprintSchema } from './fingerprint.ts'

const types = { f: 'file', d: 'dir', l: 'symlink', o: 'other' } as const
const letters = { file: 'f', dir: 'd', symlink: 'l', other: 'o' } as const
const absent = '-'

/** A fingerprint as one short text, equal for equal ones: hundreds of thousands are kept in memory. */
export function packFingerprint(from: Fingerprint): string {
  const { type, size, mode, uid, gid, inode, mtime, ctime, sha256, target } = from
  const hash = sha256 === undefined ? absent : Buffer.from(sha256, 'hex').toString('base64url')
  const fields = [letters[type], size, mode, uid, gid, inode, mtime, ctime, hash]
  return [...fields, ...(target === undefined ? [] : [target])].join(' ')
}

/** What `packFingerprint` made; undefined for what it did not make. */
export function unpackFingerprint(text: string): Fingerprint | undefined {
  const [letter, size, mode, uid, gid, inode, mtime, ctime, hash, ...target] = text.split(' ')
  const found = fingerprintSchema.safeParse({
    type: types[letter as keyof typeof types],
    size: Number(size),
    mode,
    uid: Number(uid),
    gid: Number(gid),
    inode: Number(inode),
    mtime: Number(mtime),
    ctime: Number(ctime),
    ...(hash === absent || hash === undefined ? {} : { sha256: Buffer.from(hash, 'base64url').toString('hex') }),
    ...(target.length > 0 ? { target: target.join(' ') } : {}),
  })
  return found.data
}
