import { unfit } from '../../refusals/unfit.ts'
import type { ProcessorType } from '../define-processor.ts'
import type { IngestDocument } from '../ingest-document.ts'
import type { ProcessorConfig } from '../processor-config.ts'

/** The parts of a data stream's name in their order, and the letters that none of their values may have. */
const parts = {
  type: /[\\/*?"<>| ,#:-]/gu,
  dataset: /[\\/*?"<>| ,#:-]/gu,
  namespace: /[\\/*?"<>| ,#:]/gu,
} as const
type Part = keyof typeof parts
const partNames = Object.keys(parts) as Part[]
const partCharsMax = 100

/** Where a part may come from: a fixed value, or a field of the document; undefined when that holds no text. */
type PartSource = (document: IngestDocument) => string | undefined

function sanitized(part: Part, text: string): string {
  return text.toLowerCase().slice(0, partCharsMax).replace(parts[part], '_')
}

function partSource(config: ProcessorConfig, part: Part, written: string): PartSource {
  if (!(written.includes('{{') || written.includes('}}'))) {
    if (sanitized(part, written) !== written) throw config.fault(part, `'${written}' contains disallowed characters`)
    return () => written
  }
  const field = /^\{\{(?:\{([^{}]+)\}|([^{}]+))\}\}$/u.exec(written)
  const path = field?.[1] ?? field?.[2]
  if (path === undefined) throw config.fault(part, `'${written}' is not a valid field reference`)
  return (document) => {
    const value = document.find(path) ?? (Object.hasOwn(document.ctx, path) ? document.ctx[path] : undefined)
    return typeof value === 'string' ? sanitized(part, value) : undefined
  }
}

/** The parts of a name of the scheme. Throws `illegal_argument_exception` for another. */
function partsOf(name: string): Readonly<Record<Part, string>> {
  const [, type, dataset, namespace] = /^([^-]*)-([^-]*)-(.*)$/su.exec(name) ?? []
  if (type !== undefined && dataset !== undefined && namespace !== undefined) return { type, dataset, namespace }
  throw unfit(`invalid data stream name: [${name}]; must follow naming scheme <type>-<dataset>-<namespace>`)
}

/** `reroute`: sends a document to another index, whose default pipeline it then goes through; all pipelines that it is in are left. */
export const rerouteProcessor: ProcessorType = {
  type: 'reroute',
  build(config) {
    const destination = config.optionalText('destination')
    const given = partNames.map((part) => config.optionalTexts(part, true) ?? [])
    if (destination !== undefined && given.some((values) => values.length > 0))
      throw config.fault('destination', 'can only be set if type, dataset, and namespace are not set')
    const sources = partNames.map((part, at) => {
      const written = given[at] ?? []
      return (written.length > 0 ? written : [`{{data_stream.${part}}}`]).map((one) => partSource(config, part, one))
    })
    return (document) => {
      if (destination !== undefined) {
        document.set('_index', destination)
        return 'reroute'
      }
      const now = partsOf(String(document.ctx['_index']))
      const values = partNames.map((part, at) => {
        const found = sources[at]?.map((source) => source(document)).find((value) => value !== undefined)
        return [part, found ?? now[part]] as const
      })
      document.set('_index', values.map(([, value]) => value).join('-'))
      for (const [part, value] of values) document.set(`data_stream.${part}`, value)
      const dataset = values.find(([part]) => part === 'dataset')?.[1]
      // ECS wants both to be the same.
      if (document.find('event.dataset') !== undefined) document.set('event.dataset', dataset)
      return 'reroute'
    }
  },
}
