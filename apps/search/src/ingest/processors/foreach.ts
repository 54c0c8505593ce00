import { unfit } from '../../refusals/unfit.ts'
import type { Outcome, ProcessorType } from '../define-processor.ts'
import { type IngestDocument, javaType } from '../ingest-document.ts'

/** The list or object to go over; undefined when it is missing and that is ignored. */
function containerOf(document: IngestDocument, field: string, ignoreMissing: boolean): object | undefined {
  const value = ignoreMissing ? (document.find(field) ?? null) : document.get(field)
  if (typeof value === 'object' && value !== null) return value
  if (value !== null) throw unfit(`field [${field}] of type [${javaType(value)}] cannot be cast to [java.util.List]`)
  if (ignoreMissing) return undefined
  throw unfit(`field [${field}] is null, cannot loop over its elements.`)
}

function restore(ingest: Record<string, unknown>, before: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(before)) {
    if (value === undefined) delete ingest[key]
    else ingest[key] = value
  }
}

/** `foreach`: runs a processor over every value of a list or object, which it finds as `_ingest._value` (and `_ingest._key`). */
export const foreachProcessor: ProcessorType = {
  type: 'foreach',
  build(config, building) {
    const field = config.text('field')
    const inner = config.optionalObject('processor')
    if (!inner) throw config.fault('processor', 'required property is missing')
    if (Object.keys(inner).length !== 1) throw config.fault('processor', 'Must specify exactly one processor type')
    const step = building.step(inner)
    const ignoreMissing = config.boolean('ignore_missing')
    return (document, run) => {
      const container = containerOf(document, field, ignoreMissing)
      if (container === undefined) return 'keep'
      const isList = Array.isArray(container)
      const { _value: outerValue, _key: outerKey } = document.ingest
      const changed: [string, unknown][] = []
      let left: Outcome = 'keep'
      try {
        for (const [key, item] of Object.entries(container)) {
          document.ingest['_value'] = item
          if (!isList) document.ingest['_key'] = key
          const outcome = building.runSteps([step], document, run)
          if (outcome === 'drop') return 'drop'
          // The other values are gone over before the pipeline is left.
          if (outcome !== 'keep') left = outcome
          changed.push([isList ? key : String(document.ingest['_key']), document.ingest['_value']])
        }
      } finally {
        restore(document.ingest, { _value: outerValue, _key: outerKey })
      }
      document.set(field, isList ? changed.map(([, item]) => item) : Object.fromEntries(changed))
      return left
    }
  },
}
