import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Paths } from '../places/paths.ts'
import { loadDefinitions } from '../quadlet/load.ts'
import { defineStep, findingOf } from './define-step.ts'
import { unproven } from './unproven.ts'

/** The folders of the production tree, and copies of what an operator edits; a copy that exists is never overwritten. */
export const dataTree = defineStep({
  name: 'data-tree',
  title: 'data folder',
  async diagnose({ paths }) {
    const folders = foldersOf(paths).filter(([folder]) => !existsSync(folder))
    return findingOf([
      ...folders.map(([folder, mode]) => `mkdir -m ${mode.toString(8)} ${folder}`),
      ...missingCopies(paths).map(([from, to]) => `cp ${from} ${to}`),
    ])
  },
  async apply({ paths }) {
    for (const [folder, mode] of foldersOf(paths)) mkdirSync(folder, { recursive: true, mode })
    for (const [from, to] of missingCopies(paths)) {
      mkdirSync(dirname(to), { recursive: true })
      copyFileSync(from, to)
    }
  },
  async prove({ paths }) {
    const missing = foldersOf(paths).find(([folder]) => !existsSync(folder))
    if (missing) throw unproven(`${missing[0]} was not made`)
  },
})

function foldersOf(paths: Paths): [folder: string, mode: number][] {
  const volumes = [...loadDefinitions(paths).values()].flatMap((definition) =>
    definition.volumes.filter((volume) => !volume.source.startsWith('/')).map((volume) => paths.volume(volume.source)),
  )
  return [
    [dirname(paths.caFile), 0o755],
    [paths.configDir, 0o755],
    [paths.rulesDir, 0o755],
    ...Object.values(paths.markers).map((marker): [string, number] => [dirname(marker), 0o755]),
    [paths.vaultDir, 0o700],
    [dirname(paths.authorityKeyFile), 0o700],
    [paths.logDir, 0o750],
    [paths.runDir, 0o700],
    [paths.dropInDir, 0o755],
    ...[...new Set(volumes)].map((volume): [string, number] => [volume, 0o700]),
  ]
}

function missingCopies(paths: Paths): [from: string, to: string][] {
  const pairs: [string, string][] = [
    [join(paths.programDir, 'config'), paths.configDir],
    [join(paths.programDir, 'rules'), paths.rulesDir],
  ]
  return pairs.flatMap(([from, to]) =>
    filesIn(from)
      .map((file): [string, string] => [file, join(to, relative(from, file))])
      .filter(([, copy]) => !existsSync(copy)),
  )
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile() && !file.endsWith('.md'))
    .sort()
}
