import { isSigma, readSigma, readYamlMaps, type SigmaDocument } from '@logstack/rules'
import { z } from 'zod'
import { readRule } from '../rule-files/read-rule.ts'
import type { RulePlaces } from '../rule-files/rules-folder.ts'
import { RulesReader } from '../rule-files/rules-folder.ts'
import { sigmaSet } from '../sigma/sigma-set.ts'

const inputSchema = z.object({ files: z.array(z.object({ name: z.string(), text: z.string() })) })

/** What became of one file: whose form it has, and why it or a part of it cannot run. */
export interface CheckedFile {
  readonly name: string
  readonly kind: 'elastalert' | 'sigma' | 'unknown'
  readonly rules: number
  readonly problems: readonly string[]
}

/** Says of rule files (JSON `{files: [{name, text}]}`) which can run here and which cannot and why. Nothing is written. */
export async function checkRules(input: string, places: RulePlaces): Promise<readonly CheckedFile[]> {
  const { files } = inputSchema.parse(JSON.parse(input))
  const { mappings, channels } = await new RulesReader(places).read()
  const documents = new Map<SigmaDocument, string>()
  const checked = files.map(({ name, text }): CheckedFile => {
    const maps = readYamlMaps(text)
    if ('problem' in maps) return { name, kind: 'unknown', rules: 0, problems: [placed(maps.problem)] }
    if (maps.some(({ value }) => isSigma(value))) {
      const read = readSigma(name, text)
      if ('problem' in read) return { name, kind: 'sigma', rules: 0, problems: [placed(read.problem)] }
      for (const document of read.documents) documents.set(document, name)
      return { name, kind: 'sigma', rules: read.documents.length, problems: [] }
    }
    const read = readRule(name, text, { defaults: { alert: 'debug', ...channels.defaults } })
    if (read.kind === 'broken') return { name, kind: 'elastalert', rules: 0, problems: [placed(read.problem)] }
    return { name, kind: 'elastalert', rules: 1, problems: [] }
  })
  const { leftOut } = sigmaSet([...documents.keys()], mappings, channels.sigma)
  return checked.map((file) => {
    const reasons = leftOut.filter(({ document }) => documents.get(document) === file.name).map(({ reason }) => reason)
    return { ...file, rules: file.rules - reasons.length, problems: [...file.problems, ...reasons] }
  })
}

function placed({
  line,
  column,
  message,
}: {
  readonly line: number
  readonly column: number
  readonly message: string
}): string {
  return `${line}:${column}: ${message}`
}
