import type { Documents } from '../documents/documents.ts'
import { isHeldBack } from '../indices/held-back.ts'
import type { ResolvedIndex } from '../indices/resolve.ts'
import type { Snapshots } from './leaves/leaf-request.ts'

/** Waits until what was written before can be read in these indices, but for those that are held back; a kept snapshot stays what it is. */
export async function shown(
  { documents }: { readonly documents: Pick<Documents, 'shown'> },
  indices: readonly Pick<ResolvedIndex, 'index'>[],
  snapshots?: Snapshots,
): Promise<void> {
  const tables = new Set(indices.filter(({ index }) => !isHeldBack(index)).map(({ index }) => index.table))
  await documents.shown([...tables].filter((table) => snapshots?.has(table) !== true))
}
