import { matchesMax } from '../../enrich/tables.ts'
import { defineProcessor } from '../define-processor.ts'
import type { ProcessorConfig } from '../processor-config.ts'
import { readField } from '../text-processor.ts'

function readMatches(config: ProcessorConfig): number {
  const max = config.integer('max_matches') ?? 1
  if (max >= 1 && max <= matchesMax) return max
  throw config.fault('max_matches', `should be between 1 and ${matchesMax}`)
}

/** Of the relations of a shape to a point those that are not of the shape alone. */
function checkRelation(config: ProcessorConfig, isTaken: boolean): void {
  if (!isTaken) return
  const relation = config.optionalText('shape_relation') ?? 'INTERSECTS'
  if (['intersects', 'contains'].includes(relation.toLowerCase())) return
  throw config.fault(
    'shape_relation',
    `[${relation}] is not supported: points are looked up with INTERSECTS or CONTAINS`,
  )
}

/** `enrich`: adds what the table of a policy holds for a value of the document. */
export const enrichProcessor = defineProcessor('enrich', (config, { enrich }) => {
  const policy = config.text('policy_name')
  const field = config.template('field')
  const target = config.template('target_field')
  const override = config.boolean('override', true)
  const ignoreMissing = config.boolean('ignore_missing')
  const max = readMatches(config)
  checkRelation(config, enrich.require(policy).relates)
  return (document) => {
    const value = readField(document, field(document), ignoreMissing)
    if (value === undefined) return
    const found = enrich.find(policy, value, max)
    if (found.length === 0) return
    const path = target(document)
    if (!override && document.find(path) !== undefined) return
    document.set(path, max === 1 ? found[0] : found)
  }
})
