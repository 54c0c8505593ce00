import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  assembleRules,
  readMapping,
  readSigma,
  type SigmaCorrelation,
  type SigmaDocument,
  type SigmaHead,
  type SigmaMapping,
  SigmaMatcher,
} from '@logstack/rules'

/** The rules that are looked at as events come in. */
export interface DetectionSet {
  readonly matcher: SigmaMatcher
  readonly correlations: readonly SigmaCorrelation[]
  /** The rules that raise alerts, by their ids. */
  readonly alerting: ReadonlyMap<string, SigmaHead & Pick<SigmaDocument, 'kind'>>
  /** Why files or rules are left out, a sentence each. */
  readonly problems: readonly string[]
}

const retired = ['deprecated', 'unsupported']
const quietLevel = 'informational'

/**
 * Reads `detections/*.yml`, Sigma rules and correlations, with the log sources of `mappings/*.yml`. What cannot be read or used is left out and
 * named in `problems`. A folder that is not there holds nothing. Rules of level `informational` only feed correlations.
 */
export function readDetections(rulesFolder: string): DetectionSet {
  const problems: string[] = []
  const documents = yamlFiles(join(rulesFolder, 'detections')).flatMap(({ path, name, text }) => {
    const read = readSigma(name, text)
    if ('documents' in read) return [...read.documents]
    problems.push(`${path}:${read.problem.line}:${read.problem.column}: ${read.problem.message}`)
    return []
  })
  const mappings = yamlFiles(join(rulesFolder, 'mappings')).flatMap(({ path, name, text }): SigmaMapping[] => {
    if (name === 'placeholders') return []
    const read = readMapping(path, text)
    if ('mapping' in read) return [read.mapping]
    problems.push(`${path}:${read.problem.line}: ${read.problem.message}`)
    return []
  })
  const inUse = documents.filter(({ status }) => !retired.includes(status ?? ''))
  const { rules, correlations, unusable, silent } = assembleRules(inUse)
  const matcher = new SigmaMatcher(rules, mappings)
  for (const { document, reason } of unusable) problems.push(`${document.title}: ${reason}`)
  for (const { rule, reason } of matcher.unmapped) problems.push(`${rule.title}: ${reason}`)
  const alerting = [...rules, ...correlations].filter(({ id, level }) => !silent.has(id) && level !== quietLevel)
  // A rule that another one waits for raises its own alert all the same when its level says so.
  const waited = [...correlations].filter(({ id, level }) => silent.has(id) && level !== quietLevel)
  return {
    matcher,
    correlations,
    alerting: new Map([...alerting, ...waited].map((document) => [document.id, document])),
    problems,
  }
}

function yamlFiles(folder: string): { readonly path: string; readonly name: string; readonly text: string }[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.yml'))
    .sort()
    .map((name) => {
      const path = join(folder, name)
      return { path, name: name.slice(0, -'.yml'.length), text: readFileSync(path, 'utf8') }
    })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw thrown
  }
}
