import { readdirSync, readFileSync, statSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { Reader, type Response } from 'mmdb-lib'

/** What databases tell of an address. */
export type GeoKind = 'city' | 'country' | 'asn'

/** A database of places or networks in MaxMind's form, open. */
export interface GeoDatabase {
  /** The type the file says it has: `GeoLite2-City`. */
  readonly type: string
  /** Undefined when what it holds is nothing that pipelines read. */
  readonly kind: GeoKind | undefined
  /** What it says of an address, and how many leading bits of the address that holds for; undefined when it says nothing. */
  lookup(ip: string): { readonly record: unknown; readonly prefixBits: number } | undefined
}

/** The databases an operator gave, by the names of their files. */
export interface GeoDatabases {
  /** Undefined when there is no such file, or it is no database. */
  find(file: string): GeoDatabase | undefined
  /** The names of all files that may be databases, in alphabetical order, without those that were found to be none. */
  names(): readonly string[]
}

/** Where no databases are given. */
export const noGeoDatabases: GeoDatabases = { find: () => undefined, names: () => [] }

const checkEveryMsDefault = 5_000
const fileBytesMax = 1024 ** 3
const openMax = 16
// The metadata stand within the last 128 KiB, behind this marker (MaxMind DB specification 2.0).
const metadataBytesMax = 128 * 1024
const metadataMarker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex')

interface Known {
  checkedAtMs: number
  /** What tells one state of the file from another. */
  mark: string | undefined
  database: GeoDatabase | undefined
}

/** How databases are found. */
export interface GeoDatabaseOptions {
  /** The folder of the files. */
  readonly directory: string
  /** Milliseconds that only go on. */
  readonly now?: () => number
  readonly logger: Logger
  /** How long a file is taken to be as it was. */
  readonly checkEveryMs?: number
}

/**
 * The databases of a folder: read when they are first asked for and again when they change. A file that is no database is logged once, and
 * not read again until it changes.
 */
export function createGeoDatabases({
  directory,
  now = () => performance.now(),
  logger,
  checkEveryMs = checkEveryMsDefault,
}: GeoDatabaseOptions): GeoDatabases {
  const files = new Map<string, Known>()
  const warn = (file: string, thrown: unknown): void =>
    logger.warn({ file: join(directory, file), reason: messageOf(thrown) }, 'a database of addresses cannot be read')
  const isBroken = (file: string): boolean => {
    const known = files.get(file)
    return known?.mark !== undefined && known.database === undefined
  }
  return {
    names() {
      try {
        return readdirSync(directory)
          .filter((file) => file.endsWith('.mmdb') && !isBroken(file))
          .sort()
      } catch (thrown) {
        // Nobody has to give any, and then there is no such folder.
        if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return []
        throw thrown
      }
    },
    find(file) {
      const known = files.get(file)
      const atMs = now()
      if (known && atMs - known.checkedAtMs < checkEveryMs) return known.database
      const next: Known = { checkedAtMs: atMs, mark: undefined, database: undefined }
      try {
        next.mark = markOf(join(directory, file))
        if (next.mark === known?.mark) next.database = known?.database
        else if (next.mark !== undefined) {
          next.database = openDatabase(readFileSync(join(directory, file)), (thrown) => {
            next.database = undefined
            warn(file, thrown)
          })
        }
      } catch (thrown) {
        warn(file, thrown)
      }
      if (!known && files.size >= openMax) files.delete(files.keys().next().value ?? '')
      files.set(file, next)
      return next.database
    },
  }
}

/** Undefined when there is no such file. */
function markOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return undefined
  if (stat.size > fileBytesMax) throw new Error(`it has more than ${fileBytesMax} bytes`)
  return `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`
}

/** Opens what a file holds. Throws when that is no database; `broken` hears of one that shows it later. */
function openDatabase(bytes: Buffer, broken: (thrown: unknown) => void): GeoDatabase {
  if (!bytes.subarray(-metadataBytesMax).includes(metadataMarker)) throw new Error('it is no MaxMind database')
  const reader = new Reader<Response>(bytes)
  const { databaseType } = reader.metadata
  if (typeof databaseType !== 'string') throw new Error('it does not say what it holds')
  const hasIpv6 = reader.metadata.ipVersion === 6
  return {
    type: databaseType,
    kind: kindOf(databaseType),
    lookup(ip) {
      if (!hasIpv6 && isIPv6(ip)) return undefined
      try {
        const [record, prefixBits] = reader.getWithPrefixLength(ip)
        return record === null || record === undefined ? undefined : { record, prefixBits }
      } catch (thrown) {
        // Half a file: what its tree points at is not there.
        broken(thrown)
        return undefined
      }
    },
  }
}

/** By the words makers put into the type: `GeoLite2-City`, `GeoIP2-Country`, `DBIP-ASN-Lite (compat=GeoLite2-ASN)`. */
function kindOf(type: string): GeoKind | undefined {
  const word = /-(City|Country|ASN)\b/u.exec(type)?.[1]?.toLowerCase()
  return word === 'city' || word === 'country' || word === 'asn' ? word : undefined
}
