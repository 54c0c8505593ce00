import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readSettingsText, type SettingsDefinition } from '../../packages/settings/src/index.ts'
import { readText, root } from './sources.ts'

/** A part's settings definition and the file that explains it to the operator. */
export interface SettingsFile {
  readonly definition: SettingsDefinition
  readonly file: string
}

/** The settings of every part that has some: the export with `part` and `table` of each `settings.ts` under apps/. */
export async function settingsFiles(files: readonly string[]): Promise<SettingsFile[]> {
  const found: SettingsFile[] = []
  for (const source of files.filter((file) => /^apps\/[^/]+\/(server\/)?src\/settings\.ts$/.test(file))) {
    const exported = Object.values((await import(join(root, source))) as Record<string, unknown>)
    for (const definition of exported.filter(isDefinition)) {
      found.push({ definition, file: `config/${definition.part}.yml` })
    }
  }
  return found
}

/** What is wrong with a settings file: keys it does not explain, keys it explains that do not exist. A key may be commented out. */
export function settingsProblems({ definition, file }: SettingsFile): string[] {
  if (!existsSync(join(root, file))) return [`${file} is missing`]
  const text = readText(file)
  const named = new Set(readSettingsText(definition, text, file).keys())
  const unknown: string[] = []
  for (const [, key] of text.matchAll(/^# ?([a-z][a-z0-9]*(?:[._][a-z0-9]+)+):(?=\s|$)/gm)) {
    if (key === undefined) continue
    if (key in definition.table) named.add(key)
    else unknown.push(`${file} explains ${key}, which is no setting of ${definition.part}`)
  }
  const missing = Object.keys(definition.table).filter((key) => !named.has(key))
  return [...unknown, ...missing.map((key) => `${file} does not explain ${key}`)]
}

function isDefinition(value: unknown): value is SettingsDefinition {
  return typeof value === 'object' && value !== null && 'part' in value && 'table' in value
}
