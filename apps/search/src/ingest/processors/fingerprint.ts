import { createHash } from 'node:crypto'
import { documentMost, refuseHuge } from '../../painless/held-values.ts'
import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'
import { versionedFingerprint } from '../versioned-fingerprint.ts'

const methods: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-512': 'sha512',
}

/** JSON with the keys of objects in order, so that equal values have equal texts. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}

/** `fingerprint`: a hash of several fields, the same for the same values. */
export const fingerprintProcessor = defineProcessor('fingerprint', (config) => {
  if (config.any('hash_method') !== undefined) return versionedFingerprint(config)
  const fields = config.texts('fields', true).toSorted()
  if (fields.length === 0) throw config.fault('fields', 'must specify at least one field')
  const target = config.optionalText('target_field') ?? 'fingerprint'
  const salt = config.optionalText('salt') ?? ''
  const method = config.optionalText('method') ?? 'SHA-1'
  const algorithm = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (algorithm === undefined) {
    throw config.fault(
      'method',
      `[${method}] must be one of the supported hash methods [${Object.keys(methods).join(', ')}]`,
    )
  }
  const ignoreMissing = config.boolean('ignore_missing')
  return (document) => {
    const hash = createHash(algorithm).update(salt)
    let found = 0
    for (const field of fields) {
      const value = document.find(field)
      if (value === undefined && ignoreMissing) continue
      if (value === undefined) throw unfit(`missing field [${field}] when calculating fingerprint`)
      refuseHuge(value, documentMost)
      hash.update(`\0${field}\0${canonical(value)}`)
      found++
    }
    if (found > 0) document.set(target, hash.digest('base64'))
  }
})
