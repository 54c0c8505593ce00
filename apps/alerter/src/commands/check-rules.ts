import { posix } from 'node:path'
import { isSigma, type RuleProblem, readSigma, readYamlMaps, type SigmaDocument } from '@logstack/rules'
import { z } from 'zod'
import type { ReadOther } from '../rule-files/compose.ts'
import { readRule } from '../rule-files/read-rule.ts'
import { connectionKeys } from '../rule-files/rule-schema.ts'
import { type RulePlaces, RulesReader } from '../rule-files/rules-folder.ts'
import { type SigmaLeftOut, sigmaSet } from '../sigma/sigma-set.ts'

const fileSchema = z.object({ name: z.string(), text: z.string() })
const inputSchema = z.object({ files: z.array(fileSchema), others: z.array(fileSchema).default([]) })

/** What became of one file: whose form it has, and why it or a part of it cannot run. */
export interface CheckedFile {
  readonly name: string
  readonly kind: 'elastalert' | 'sigma' | 'unknown'
  readonly rules: number
  readonly problems: readonly string[]
  /** The log sources of rules that are whole, but read what this stack has no mapping for. */
  readonly unknownSources: readonly string[]
  /** Keys that it has and that are not used: of the server that ElastAlert would ask. */
  readonly unused: readonly string[]
  /** The files that it imports, by their names. */
  readonly uses: readonly string[]
}

/**
 * Says of the rule files of one folder (JSON `{files: [{name, text}], others: [{name, text}]}`, names relative to the folder) which can run
 * here and which cannot and why. `others` are no rule files but may be imported. Nothing is written.
 */
export async function checkRules(input: string, places: RulePlaces): Promise<readonly CheckedFile[]> {
  const { files, others } = inputSchema.parse(JSON.parse(input))
  const { mappings, channels, placeholders } = await new RulesReader(places).read()
  const texts = new Map([...others, ...files].map(({ name, text }) => [name, text]))
  const defaults = { alert: 'debug', ...channels.defaults }
  const owners = new Map<SigmaDocument, string>()
  const checked = files.map(({ name, text }): CheckedFile => {
    const file = { name, rules: 0, unknownSources: [], unused: [], uses: [] }
    const maps = readYamlMaps(text)
    if ('problem' in maps) return { ...file, kind: 'unknown', problems: [placed(maps.problem)] }
    if (maps.some(({ value }) => isSigma(value))) {
      const read = readSigma(name, maps, placeholders)
      if ('problem' in read) return { ...file, kind: 'sigma', problems: [placed(read.problem)] }
      for (const document of read.documents) owners.set(document, name)
      return { ...file, kind: 'sigma', rules: read.documents.length, problems: [] }
    }
    const uses = new Set<string>()
    const read = readRule(name, text, { defaults, readOther: readAmong(texts, name, uses) })
    const unused = connectionKeys.filter((key) => maps.some(({ value }) => Object.hasOwn(value, key)))
    const result = { ...file, kind: 'elastalert' as const, unused, uses: [...uses] }
    if (read.kind !== 'broken') return { ...result, rules: 1, problems: [] }
    return { ...result, kind: isElastAlert(maps) ? 'elastalert' : 'unknown', problems: [placed(read.problem)] }
  })
  const leftOut = new Map<string, SigmaLeftOut[]>()
  for (const left of sigmaSet([...owners.keys()], mappings, channels.sigma).leftOut) {
    const name = owners.get(left.document) ?? ''
    leftOut.set(name, [...(leftOut.get(name) ?? []), left])
  }
  const used = new Set(checked.flatMap(({ uses }) => uses))
  return checked
    .filter(({ name, rules }) => rules > 0 || !used.has(name))
    .map((file) => {
      const own = leftOut.get(file.name) ?? []
      const broken = own.flatMap(({ reason, unknownSource }) => (unknownSource === undefined ? [reason] : []))
      const unknownSources = own.flatMap(({ unknownSource }) => unknownSource ?? [])
      return { ...file, rules: file.rules - own.length, problems: [...file.problems, ...broken], unknownSources }
    })
}

function isElastAlert(maps: readonly { readonly value: Readonly<Record<string, unknown>> }[]): boolean {
  return maps.some(({ value }) => ['type', 'filter', 'alert', 'import'].some((key) => Object.hasOwn(value, key)))
}

// What a rule names is looked for among the files that came with it, from its own folder.
function readAmong(texts: ReadonlyMap<string, string>, from: string, uses: Set<string>): ReadOther {
  return (name) => {
    const path = posix.normalize(posix.join(posix.dirname(from), name))
    const text = posix.isAbsolute(name) ? undefined : texts.get(path)
    if (text === undefined) throw new Error(`cannot read [${name}]: it is not in the folder that is taken in`)
    uses.add(path)
    return text
  }
}

function placed({ line, column, message }: RuleProblem): string {
  return `${line}:${column}: ${message}`
}
