import { AppError, searchErrors } from '@logstack/errors'
import type { IndexMeta } from '../model/index-meta.ts'

interface Block {
  /** Its setting, without `index.`. */
  readonly setting: string
  readonly id: number
  readonly description: string
  readonly levels: readonly string[]
  /** What a request that meets only this block is told; `FORBIDDEN` unless given. */
  readonly status?: 'TOO_MANY_REQUESTS'
}

const blocks: readonly Block[] = [
  { setting: 'blocks.read_only', id: 5, description: 'index read-only (api)', levels: ['write', 'metadata_write'] },
  { setting: 'blocks.read', id: 7, description: 'index read (api)', levels: ['read'] },
  { setting: 'blocks.write', id: 8, description: 'index write (api)', levels: ['write'] },
  {
    setting: 'blocks.metadata',
    id: 9,
    description: 'index metadata (api)',
    levels: ['metadata_read', 'metadata_write'],
  },
  {
    setting: 'blocks.read_only_allow_delete',
    id: 12,
    description: 'disk usage exceeded flood-stage watermark, index has read-only-allow-delete block',
    levels: ['write', 'metadata_write'],
    status: 'TOO_MANY_REQUESTS',
  },
]

/** The blocks of an index as the cluster's state shows them, by their number. */
export function blocksOf(index: IndexMeta): Record<string, unknown> {
  const own = blocks.filter(({ setting }) => index.settings[setting] === 'true')
  const closed = { id: 4, description: 'index closed', levels: ['read', 'write'] }
  const all = index.state === 'close' ? [closed, ...own] : own
  return Object.fromEntries(
    all.map(({ id, description, levels }) => [String(id), { description, retryable: false, levels }]),
  )
}

/** Asked for every document that is written: nothing is made for it. */
function isBlocked({ settings }: IndexMeta): boolean {
  for (const { setting } of blocks) if (settings[setting] === 'true') return true
  return false
}

/** Throws `cluster_block_exception` (403; 429 for a full disk's) when the settings of an index forbid what is to be done with it. */
export function refuseBlocked(
  index: IndexMeta,
  level: 'read' | 'write' | 'metadata_write' | 'delete' | 'delete-document',
): void {
  if (!isBlocked(index)) return
  // To delete an index or a document makes room: a full disk's block lets it through.
  const needed = level === 'delete' ? 'metadata_write' : level === 'delete-document' ? 'write' : level
  const reached = ({ levels, status }: Block): boolean =>
    levels.includes(needed) && (needed === level || status === undefined)
  const own = blocks.filter((block) => index.settings[block.setting] === 'true' && reached(block))
  if (own.length === 0) return
  const shown = own.map(({ id, description, status = 'FORBIDDEN' }) => `${status}/${id}/${description}`).join('];[')
  const kind = own.every(({ status }) => status === 'TOO_MANY_REQUESTS') ? 'too-many' : 'forbidden'
  const entry = { ...searchErrors.cluster_block_exception, kind } as const
  throw new AppError(entry, `index [${index.name}] blocked by: [${shown}];`)
}
