import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HealthDocument, healthDocumentSchema } from '@logstack/contracts'
import { z } from 'zod'
import type { Examined } from '../doctor/examine.ts'
import type { Paths } from '../places/paths.ts'
import { jsonOrNothing } from '../places/read-json-file.ts'
import { writeFileAtomically } from '../places/write-file.ts'
import { counted } from '../telling/counted.ts'
import { healthDocument, type KnownHealth } from './record.ts'

/** Root's alone: evidence may hold names of hosts and users. */
const fileMode = 0o600
const fileSchema = z.array(healthDocumentSchema)

/** The file that holds what the last periodic look saw, a document of the index of health for each check: it is there while search is not. */
export function healthFileOf(paths: Pick<Paths, 'logDir'>): string {
  return join(paths.logDir, 'health.json')
}

/** Writes the file, and answers what it held before, by the check's name. */
export function writeHealthFile(
  paths: Pick<Paths, 'logDir'>,
  examined: readonly Examined[],
  now: Date,
): ReadonlyMap<string, KnownHealth> {
  const file = healthFileOf(paths)
  const before = knownIn(file)
  const documents = examined.map((one) => healthDocument(one, now, before.get(one.fault.name)))
  mkdirSync(paths.logDir, { recursive: true })
  writeFileAtomically(file, `${JSON.stringify(documents, undefined, 2)}\n`, fileMode)
  return before
}

/** Older than this it is no news of now; the look comes every five minutes. */
const newsMs = 15 * 60_000

/** The faults that the last look saw, in a sentence for who asks for something else; undefined where it saw none, is old, or may not be read. */
export function lastLookWords(paths: Pick<Paths, 'logDir'>, now: Date): string | undefined {
  const file = healthFileOf(paths)
  if (!isReadable(file)) return undefined
  const faults = documentsIn(file).filter((one) => one.status === 'fault')
  const [first] = faults
  if (first === undefined) return undefined
  const time = new Date(first['@timestamp'])
  const ageMs = now.getTime() - time.getTime()
  if (ageMs < 0 || ageMs > newsMs) return undefined
  const told = faults.map(({ title, message }) => `${title}: ${message}`).join('; ')
  return `at ${time.toISOString().slice(11, 16)} UTC doctor saw ${counted(faults.length, 'fault')}: ${told}`
}

// A file that was cut off, or is another version's, knows nothing: the next look writes it anew.
function knownIn(file: string): ReadonlyMap<string, KnownHealth> {
  return new Map(documentsIn(file).map(({ check, ...known }) => [check, known]))
}

function documentsIn(file: string): readonly HealthDocument[] {
  if (!existsSync(file)) return []
  const found = fileSchema.safeParse(jsonOrNothing(readFileSync(file, 'utf8')))
  return found.success ? found.data : []
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}
