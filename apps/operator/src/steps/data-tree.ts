import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { letAllRead } from '../places/let-all-read.ts'
import type { Paths } from '../places/paths.ts'
import { loadDefinitions } from '../quadlet/load.ts'
import type { Runtime } from '../runtimes/runtime.ts'
import { unproven } from '../telling/unproven.ts'
import { defineStep, findingOf } from './define-step.ts'

/** The folders of the production tree, and copies of what an operator edits; a copy that exists is never overwritten. */
export const dataTree = defineStep({
  name: 'data-tree',
  title: 'data folder',
  async diagnose({ paths, runtime }) {
    return findingOf([
      ...missingFolders(paths).map(([folder, mode]) => `mkdir -m ${mode.toString(8)} '${folder}'`),
      ...closedFolders(paths, runtime).map((folder) => `chmod ${publicMode.toString(8)} '${folder}'`),
      ...missingCopies(paths).map(([from, to]) => `cp ${from} ${to}`),
    ])
  },
  async apply({ paths, runtime }) {
    for (const [folder, mode] of missingFolders(paths)) mkdirSync(folder, { recursive: true, mode })
    for (const folder of closedFolders(paths, runtime)) chmodSync(folder, publicMode)
    for (const [from, to] of missingCopies(paths)) {
      mkdirSync(dirname(to), { recursive: true })
      copyFileSync(from, to)
      letAllRead(to)
    }
  },
  async prove({ paths, runtime }) {
    const [missing] = missingFolders(paths)
    if (missing) throw unproven(`${missing[0]} was not made`)
    const [closed] = closedFolders(paths, runtime)
    if (closed) throw unproven(`${closed} is closed to those who look for what is in it`)
  },
})

type Folder = readonly [path: string, mode: number]

function missingFolders(paths: Paths): Folder[] {
  return foldersOf(paths).filter(([folder]) => !existsSync(folder))
}

/**
 * Folders of an installation that everybody looks into (the authority's certificate, the markers) and cannot: an older version made them as the
 * umask of root's shell was. What a user's own stack shows to others is for that user to say.
 */
function closedFolders(paths: Paths, runtime: Pick<Runtime, 'kind'>): string[] {
  if (runtime.kind === 'process') return []
  return publicFolders(paths).filter(
    (folder) => existsSync(folder) && (statSync(folder).mode & readByOthers) !== readByOthers,
  )
}

const readByOthers = 0o005
const publicMode = 0o755

function publicFolders(paths: Paths): string[] {
  const certificates = dirname(paths.caFile)
  const chapter = dirname(certificates)
  return [dirname(chapter), chapter, certificates, ...Object.values(paths.markers).map((marker) => dirname(marker))]
}

function foldersOf(paths: Paths): Folder[] {
  const volumes = [...loadDefinitions(paths).values()].flatMap((definition) =>
    definition.volumes.filter((volume) => !volume.source.startsWith('/')).map((volume) => paths.volume(volume.source)),
  )
  return [
    ...publicFolders(paths).map((folder): Folder => [folder, publicMode]),
    [paths.configDir, 0o755],
    [paths.rulesDir, 0o755],
    [paths.vaultDir, 0o700],
    [dirname(paths.authorityKeyFile), 0o700],
    [paths.logDir, 0o750],
    [paths.runDir, 0o700],
    [paths.dropInDir, 0o755],
    ...[...new Set(volumes)].map((volume): Folder => [volume, 0o700]),
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
