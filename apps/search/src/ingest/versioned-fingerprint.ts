import { createHash } from 'node:crypto'
import { textOf } from '../painless/java-values.ts'
import { unfit } from '../refusals/unfit.ts'
import type { IngestDocument } from './ingest-document.ts'
import type { ProcessorConfig } from './processor-config.ts'

/** OpenSearch's names: the version says by which rules the hash is made. */
const methods: Readonly<Record<string, string>> = {
  'MD5@2.16.0': 'md5',
  'SHA-1@2.16.0': 'sha1',
  'SHA-256@2.16.0': 'sha256',
  'SHA3-256@2.16.0': 'sha3-256',
}

/** `fingerprint` as OpenSearch configures and makes it, told by its `hash_method`: of some fields, of all but some, or of all. */
export function versionedFingerprint(config: ProcessorConfig): (document: IngestDocument) => void {
  const fields = config.optionalTexts('fields') ?? []
  const excluded = config.optionalTexts('exclude_fields') ?? []
  if (fields.length > 0 && excluded.length > 0)
    throw config.fault('fields', 'either fields or exclude_fields can be set')
  const target = config.optionalText('target_field') ?? 'fingerprint'
  const method = config.text('hash_method')
  const algorithm = methods[method.toUpperCase()]
  if (algorithm === undefined)
    throw config.fault('hash_method', `hash method must be one of [${Object.keys(methods).join(', ')}]`)
  const ignoreMissing = config.boolean('ignore_missing')
  return (document) => {
    const names = fields.length > 0 ? fields : Object.keys(document.source()).filter((name) => !excluded.includes(name))
    const parts = [...new Set(names)].sort().flatMap((name) => partsOf(document, name, ignoreMissing))
    if (parts.length === 0) return
    const hash = createHash(algorithm)
      .update(`${parts.join('')}|`)
      .digest('base64')
    document.set(target, `${method}:${hash}`)
  }
}

function partsOf(document: IngestDocument, name: string, ignoreMissing: boolean): string[] {
  const value = document.find(name)
  if (value !== undefined) return leaves(name, value).map(([path, text]) => `|${path}|${text.length}:${text}`)
  if (ignoreMissing) return []
  throw unfit(`field [${name}] doesn't exist`)
}

/** The leaves of objects by their paths in order; a list is one value. */
function leaves(path: string, value: unknown): [path: string, text: string][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, textOf(value)]]
  return Object.entries(value)
    .flatMap(([key, inner]) => leaves(`${path}.${key}`, inner))
    .sort(([a], [b]) => (a < b ? -1 : 1))
}
