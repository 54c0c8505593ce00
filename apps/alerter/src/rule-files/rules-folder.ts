import { readFileSync, statSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { AppError, alerterErrors, messageOf } from '@logstack/errors'
import {
  isSigma,
  type Placeholders,
  type RuleProblem,
  readMapping,
  readSigma,
  readYamlMaps,
  type SigmaDocument,
  type SigmaMapping,
} from '@logstack/rules'
import { z } from 'zod'
import { type ChannelsFile, noChannelsFile, readChannelsFile, saysNothing } from './channels-file.ts'
import { readRule } from './read-rule.ts'
import type { Rule } from './rule.ts'

const ruleFileBytesMax = 262_144
const filesAtOnceMax = 16

/** A file that cannot be used, or of which a part cannot, and why. */
export interface BrokenFile extends RuleProblem {
  readonly file: string
  readonly id: string
}

/** What folders of rules hold: rules that run, files that cannot, files that say they shall not. */
export interface RulesFolder {
  readonly rules: readonly Rule[]
  readonly sigma: readonly { readonly file: string; readonly documents: readonly SigmaDocument[] }[]
  readonly disabled: readonly {
    readonly id: string
    readonly file: string
    readonly name: string
    readonly type: string
  }[]
  readonly broken: readonly BrokenFile[]
  readonly mappings: readonly SigmaMapping[]
  readonly placeholders: Placeholders
  readonly channels: ChannelsFile
  /** Where each rule is by its id, and what that file holds; files of the dashboard are `dashboard/NAME`. */
  readonly sources: ReadonlyMap<string, { readonly file: string; readonly text: string }>
}

/** A rule file that is not on the host. */
export interface RuleFile {
  readonly name: string
  readonly text: string
}

/** Where rules are. `sigma` and `mappings` may be absent, and so may the file of channels. */
export interface RulePlaces {
  readonly rules: string
  readonly sigma: string
  readonly mappings: string
  readonly channels: string
}

/** The places beside a folder of rules: `alerts` has `sigma`, `mappings` and `channels.yml` as its neighbours. */
export function placesBeside(rules: string): RulePlaces {
  const parent = dirname(rules)
  return {
    rules,
    sigma: join(parent, 'sigma'),
    mappings: join(parent, 'mappings'),
    channels: join(parent, 'channels.yml'),
  }
}

/** A file that another one imports, and what told it from others when it was read. */
interface Import {
  readonly path: string
  readonly stamp: string
}

interface ReadFile {
  readonly stamp: string
  readonly context: string
  readonly rules: readonly Rule[]
  readonly documents: readonly SigmaDocument[]
  readonly disabled: RulesFolder['disabled']
  readonly broken: readonly BrokenFile[]
  readonly imports: readonly Import[]
  readonly text: string
}

const importBytesMax = 32 * 1024 * 1024

/** The folder that files of the dashboard seem to be in. */
const storedFolder = 'dashboard'

/** Reads folders of rules again and again; a file that did not change since, nor any that it imports, is not read again. */
export class RulesReader {
  readonly #places: RulePlaces
  readonly #known = new Map<string, ReadFile>()
  #beside: ReadBeside | undefined
  #before: { readonly from: readonly unknown[]; readonly folder: RulesFolder } | undefined

  constructor(places: RulePlaces) {
    this.#places = places
  }

  /**
   * Reads all `*.yml` and `*.yaml` below the folders, and the files that people wrote in the dashboard, which come first: of two Sigma rules
   * with one id the first is taken. A broken file is set aside with its line and column; the others are read. Answers the very same object as
   * before when nothing changed. Throws `rules_unreadable` when the folder of rules itself cannot be read.
   */
  async read(stored: readonly RuleFile[] = []): Promise<RulesFolder> {
    const beside = this.#readBeside(await this.#textsBeside())
    const { channels, mappings, placeholders, context, broken } = beside
    const onHost = [...(await yamlFiles(this.#places.rules, true)), ...(await yamlFiles(this.#places.sigma, false))]
    const files = [...stored.map(({ name }) => `${storedFolder}/${name}`), ...onHost]
    const read = stored.map((file) => this.#stored(file, context, channels, placeholders))
    for (let from = 0; from < onHost.length; from += filesAtOnceMax) {
      const batch = onHost.slice(from, from + filesAtOnceMax)
      read.push(...(await Promise.all(batch.map((file) => this.#file(file, context, channels, placeholders)))))
    }
    const there = new Set(files)
    for (const known of this.#known.keys()) if (!there.has(known)) this.#known.delete(known)
    const from = [...beside.from, ...files, ...read]
    if (this.#before && isSame(this.#before.from, from)) return this.#before.folder
    const folder = folderOf({ files, read, broken, mappings, placeholders, channels })
    this.#before = { from, folder }
    return folder
  }

  async #textsBeside(): Promise<TextsBeside> {
    const { channels: file, mappings: folder } = this.#places
    const text = textOf(file)
    const mappings = (await yamlFiles(folder, false)).map((path) => ({
      file: path,
      id: relative(folder, path),
      text: textOf(path) ?? '',
    }))
    return { channels: text === undefined ? undefined : { file, text }, mappings }
  }

  /** What was understood of the same texts before. */
  #readBeside({ channels: channelsText, mappings: texts }: TextsBeside): ReadBeside {
    const from = [channelsText?.text, ...texts.flatMap(({ file, text }) => [file, text])]
    if (this.#beside && isSame(this.#beside.from, from)) return this.#beside
    const broken: BrokenFile[] = []
    const channels = channelsOf(channelsText, broken)
    const { mappings, placeholders } = mappingsOf(texts, broken)
    const context = JSON.stringify([channels.defaults, [...placeholders]])
    this.#beside = { from, channels, mappings, placeholders, context, broken }
    return this.#beside
  }

  #stored({ name, text }: RuleFile, context: string, channels: ChannelsFile, placeholders: Placeholders): ReadFile {
    const file = `${storedFolder}/${name}`
    const known = this.#known.get(file)
    if (known?.text === text && known.context === context) return known
    const empty = { stamp: '', context, text, rules: [], documents: [], disabled: [], broken: [], imports: [] }
    const read = { ...empty, ...readOne({ file, id: file, text, channels, placeholders, isStored: true }) }
    this.#known.set(file, read)
    return read
  }

  async #file(file: string, context: string, channels: ChannelsFile, placeholders: Placeholders): Promise<ReadFile> {
    const base = relative(this.#places.rules, file).startsWith('..') ? this.#places.sigma : this.#places.rules
    const id = relative(base, file).replace(/\.ya?ml$/, '')
    const empty = { stamp: '', context, text: '', rules: [], documents: [], disabled: [], broken: [], imports: [] }
    try {
      const { size, mtimeMs } = await stat(file)
      const stamp = `${size} ${mtimeMs}`
      const known = this.#known.get(file)
      if (known?.stamp === stamp && known.context === context && areAsRead(known.imports)) return known
      if (size > ruleFileBytesMax)
        return {
          ...empty,
          broken: [{ file, id, line: 1, column: 1, message: `larger than ${ruleFileBytesMax} bytes` }],
        }
      const text = await readFile(file, 'utf8')
      const one = readOne({ file, id, text, channels, placeholders, isStored: false })
      const read = { ...empty, stamp, text, ...one }
      this.#known.set(file, read)
      return read
    } catch (thrown) {
      // A file that cannot be read, or was removed since the folder was listed, keeps no other from running.
      if (isMissing(thrown)) return empty
      return { ...empty, broken: [{ file, id, line: 1, column: 1, message: `cannot be read: ${messageOf(thrown)}` }] }
    }
  }
}

interface TextBeside {
  readonly file: string
  readonly text: string
}

interface TextsBeside {
  readonly channels: TextBeside | undefined
  readonly mappings: readonly (TextBeside & { readonly id: string })[]
}

/** What the files beside rules say. */
interface ReadBeside {
  readonly from: readonly unknown[]
  readonly channels: ChannelsFile
  readonly mappings: readonly SigmaMapping[]
  readonly placeholders: Placeholders
  /** What rules were read under. */
  readonly context: string
  readonly broken: readonly BrokenFile[]
}

function isSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && now.every((one, at) => one === before[at])
}

function folderOf(of: {
  readonly files: readonly string[]
  readonly read: readonly ReadFile[]
  readonly broken: readonly BrokenFile[]
  readonly mappings: readonly SigmaMapping[]
  readonly placeholders: Placeholders
  readonly channels: ChannelsFile
}): RulesFolder {
  const { files, read, broken, mappings, placeholders, channels } = of
  const imported = new Set(read.flatMap(({ imports }) => imports.map(({ path }) => path)))
  return {
    rules: read.flatMap((file) => file.rules),
    sigma: read.flatMap(({ documents }, at) => (documents.length > 0 ? [{ file: files[at] ?? '', documents }] : [])),
    disabled: read.flatMap((file) => file.disabled),
    // What others import may be a part of a rule.
    broken: [...broken, ...read.flatMap((file) => file.broken).filter(({ file }) => !imported.has(file))],
    mappings,
    placeholders,
    channels,
    sources: new Map(read.flatMap((one, at) => sourcesOf(one, files[at] ?? '')).reverse()),
  }
}

function channelsOf(beside: TextBeside | undefined, broken: BrokenFile[]): ChannelsFile {
  if (beside === undefined) return noChannelsFile
  const read = readChannelsFile(beside.text)
  if ('file' in read) return read.file
  broken.push({ file: beside.file, id: 'channels', ...read.problem })
  return noChannelsFile
}

function mappingsOf(
  beside: TextsBeside['mappings'],
  broken: BrokenFile[],
): { mappings: SigmaMapping[]; placeholders: Placeholders } {
  const mappings: SigmaMapping[] = []
  let placeholders: Placeholders = new Map()
  for (const { file, id, text } of beside) {
    if (id === 'placeholders.yml') {
      const maps = readYamlMaps(text)
      const words =
        'problem' in maps ? undefined : z.record(z.string(), z.array(z.coerce.string())).safeParse(maps[0]?.value)
      if (words?.success) placeholders = new Map(Object.entries(words.data))
      else if (!saysNothing(text))
        broken.push({ file, id, line: 1, column: 1, message: 'expected names with lists of words' })
      continue
    }
    const read = readMapping(id, text)
    if ('mapping' in read) mappings.push(read.mapping)
    else broken.push({ file, id, ...read.problem })
  }
  return { mappings, placeholders }
}

function sourcesOf({ text, rules, disabled, broken, documents }: ReadFile, file: string) {
  return [...rules, ...disabled, ...broken, ...documents].map(({ id }) => [id, { file, text }] as const)
}

function readOne(of: {
  readonly file: string
  readonly id: string
  readonly text: string
  readonly channels: ChannelsFile
  readonly placeholders: Placeholders
  readonly isStored: boolean
}): Partial<ReadFile> {
  const { file, id, text, channels, placeholders, isStored } = of
  const maps = readYamlMaps(text)
  if ('problem' in maps) return { broken: [{ file, id, ...maps.problem }] }
  if (maps.some(({ value }) => isSigma(value))) {
    const sigma = readSigma(id, maps, placeholders)
    return 'problem' in sigma ? { broken: [{ file, id, ...sigma.problem }] } : { documents: sigma.documents }
  }
  const imports: Import[] = []
  const readOther = (name: string): string => {
    if (isStored) throw new Error(`[${name}] is a file of the host, which rules of the dashboard cannot import`)
    const path = isAbsolute(name) ? name : resolve(dirname(file), name)
    imports.push({ path, stamp: stampOf(path) })
    return otherText(name, path)
  }
  const read = readRule(id, text, {
    readOther,
    defaults: channels.defaults,
    isFromPeople: isStored,
  })
  if (read.kind === 'rule') return { rules: [read.rule], imports }
  if (read.kind === 'disabled') return { disabled: [{ id, file, name: read.name, type: read.type }], imports }
  return { broken: [{ file, id, ...read.problem }], imports }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (thrown) {
    if (isMissing(thrown)) return undefined
    throw new AppError(alerterErrors.rules_unreadable, `cannot read ${file}: ${messageOf(thrown)}`, { cause: thrown })
  }
}

// What a file imports may change without it.
function areAsRead(imports: readonly Import[]): boolean {
  return imports.every(({ path, stamp }) => stampOf(path) === stamp)
}

/** Tells a file from one that was there before; one that cannot be looked at has none. */
function stampOf(path: string): string {
  try {
    const { size, mtimeMs } = statSync(path)
    return `${size} ${mtimeMs}`
  } catch {
    return ''
  }
}

/** A file that a rule names: a list of a million addresses is 14 MB. Throws an Error that says why not. */
function otherText(name: string, path: string): string {
  if (statSync(path).size > importBytesMax) throw new Error(`[${name}] is larger than ${importBytesMax} bytes`)
  return readFileSync(path, 'utf8')
}

async function yamlFiles(folder: string, isNeeded: boolean): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => !entry.isDirectory() && /\.ya?ml$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
  } catch (thrown) {
    if (!isNeeded && isMissing(thrown)) return []
    throw new AppError(alerterErrors.rules_unreadable, `cannot read the rules folder ${folder}`, {
      cause: thrown,
      fix: `make ${folder} a readable directory of rule files`,
    })
  }
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'
}
