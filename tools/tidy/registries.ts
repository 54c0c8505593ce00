import { basename, dirname, join } from 'node:path'
import { isTest, isTypeScript } from './sources.ts'

/** Folders that hold one feature a file, and so must have a registry. */
const registryFolders = [
  'queries',
  'aggregations',
  'field-types',
  'inputs',
  'rule-types',
  'channels',
  'checks',
  'steps',
  'processors',
  'features',
]

/** Names a registry may have inside its folder. */
const registryNames = ['registry.ts', 'registry.tsx', 'index.ts']

/**
 * The files of a registry folder that nothing but a test imports: a feature that was written and never registered. Undefined when
 * the folder is no registry folder; `no registry` when it has features but nothing that lists them.
 */
export function unregistered(
  folder: string,
  files: readonly string[],
  imported: ReadonlySet<string>,
): string[] | 'no registry' | undefined {
  if (!registryFolders.includes(basename(folder))) return undefined
  const sources = files.filter((file) => dirname(file) === folder && isTypeScript(file) && !isTest(file))
  if (sources.length === 0) return undefined
  const registry = registryNames.map((name) => join(folder, name)).find((file) => sources.includes(file))
  return registry ? sources.filter((file) => file !== registry && !imported.has(file)) : 'no registry'
}
