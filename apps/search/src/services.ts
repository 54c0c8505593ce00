import type { Logger } from '@logstack/logging'
import type { Documents } from './documents/documents.ts'
import type { Engine } from './engine/engine.ts'
import type { HttpTraffic } from './http-traffic.ts'
import type { Catalogue } from './indices/catalogue.ts'
import type { AuditTrail } from './security/audit/events.ts'
import type { Security } from './security/security.ts'
import type { S3Endpoint } from './snapshots/storage/s3-client.ts'
import type { Store } from './store/store.ts'

/** Which other clusters documents may be copied from. */
export interface RemoteSources {
  /** `host:port`, with stars. */
  readonly hosts: readonly string[]
  /** PEM of the authorities that their certificates are checked by, beside the system's; undefined without any. */
  readonly authorities: string | undefined
}

/** Everything a route or a search plan works with; made once at start. */
export interface Services {
  readonly engine: Engine
  readonly store: Store
  readonly catalogue: Catalogue
  readonly documents: Documents
  readonly security: Security
  readonly audit: AuditTrail
  readonly logger: Logger
  readonly http: HttpTraffic
  /** `logstack-search`. */
  readonly nodeName: string
  readonly startedAtMs: number
  /** What the engine may take of the memory, in bytes. */
  readonly engineMemoryBytesMax: number
  /** Absolute folders below which repositories of snapshots may be. */
  readonly repositoryFolders: readonly string[]
  /** The store of repositories in buckets; absent: none. */
  readonly s3?: S3Endpoint
  /** Absent: none. */
  readonly remoteSources?: RemoteSources
  /** Now, in epoch milliseconds; tests give their own. */
  readonly now: () => number
}
