import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { healthDocumentSchema } from '@logstack/contracts'
import { z } from 'zod'
import type { Examined } from '../doctor/examine.ts'
import type { Paths } from '../places/paths.ts'
import { jsonOrNothing } from '../places/read-json-file.ts'
import { writeFileAtomically } from '../places/write-file.ts'
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

// A file that was cut off, or is another version's, knows nothing: the next look writes it anew.
function knownIn(file: string): ReadonlyMap<string, KnownHealth> {
  if (!existsSync(file)) return new Map()
  const found = fileSchema.safeParse(jsonOrNothing(readFileSync(file, 'utf8')))
  return new Map((found.success ? found.data : []).map(({ check, ...known }) => [check, known]))
}
