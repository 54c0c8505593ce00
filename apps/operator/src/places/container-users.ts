import type { PartName } from '@logstack/contracts'
import type { ContainerUser } from '../quadlet/container.ts'
import { type DefinitionPlaces, loadDefinitions } from '../quadlet/load.ts'
import { host } from './host.ts'

/**
 * The user whose files a part reads and writes, as its definition says; undefined in the embedded runtime, where all is the caller's own.
 * A definition without a user runs as the image's.
 */
export function containerUserOf(
  paths: DefinitionPlaces & { readonly root: string },
  part: PartName,
): ContainerUser | undefined {
  if (paths.root !== '') return undefined
  return loadDefinitions(paths).get(part)?.user ?? host.user
}
