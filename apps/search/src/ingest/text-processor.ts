import { unfit } from '../refusals/unfit.ts'
import { defineProcessor, type ProcessorType } from './define-processor.ts'
import { type IngestDocument, javaType } from './ingest-document.ts'
import type { ProcessorConfig } from './processor-config.ts'

/** Declares a processor that makes something of the text of a field, or of each text of its list. */
export function textProcessor(
  type: string,
  build: (config: ProcessorConfig) => (text: string, path: string) => unknown,
): ProcessorType {
  return defineProcessor(type, (config) => {
    const field = config.text('field')
    const target = config.optionalText('target_field') ?? field
    const ignoreMissing = config.boolean('ignore_missing')
    const change = build(config)
    return (document) => {
      const value = readField(document, field, ignoreMissing)
      if (value === undefined) return
      document.set(
        target,
        Array.isArray(value)
          ? value.map((item) => change(asText(item, field, true), field))
          : change(asText(value, field), field),
      )
    }
  })
}

/** The value of a field; undefined when it is missing or null and that is ignored. `cannot`: what the error of null says. */
export function readField(
  document: IngestDocument,
  path: string,
  ignoreMissing: boolean,
  cannot = 'cannot process it.',
): unknown {
  const value = ignoreMissing ? (document.find(path) ?? null) : document.get(path)
  if (value !== null) return value
  if (ignoreMissing) return undefined
  throw unfit(`field [${path}] is null, ${cannot}`)
}

function asText(value: unknown, path: string, inList = false): string {
  if (typeof value === 'string') return value
  const what = inList
    ? `value [${String(value)}] of type [${javaType(value)}] in list field [${path}]`
    : `field [${path}] of type [${javaType(value)}]`
  throw unfit(`${what} cannot be cast to [java.lang.String]`)
}
