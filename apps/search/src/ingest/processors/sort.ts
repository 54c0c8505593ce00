import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'
import { javaType } from '../ingest-document.ts'

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  const numbers = (typeof a === 'number' || typeof a === 'bigint') && (typeof b === 'number' || typeof b === 'bigint')
  if (numbers || (typeof a === 'boolean' && typeof b === 'boolean')) return a < b ? -1 : a > b ? 1 : 0
  throw unfit(`cannot compare values of type [${javaType(a)}] and [${javaType(b)}]`)
}

/** `sort`: orders the values of a list. */
export const sortProcessor = defineProcessor('sort', (config) => {
  const field = config.text('field')
  const target = config.optionalText('target_field') ?? field
  const order = (config.optionalText('order') ?? 'asc').toLowerCase()
  if (order !== 'asc' && order !== 'desc')
    throw config.fault('order', `Sort direction [${order}] not recognized. Valid values are: [asc, desc]`)
  return (document) => {
    const list = document.get(field)
    if (list === null) throw unfit(`field [${field}] is null, cannot sort.`)
    if (!Array.isArray(list))
      throw unfit(`field [${field}] of type [${javaType(list)}] cannot be cast to [java.util.List]`)
    document.set(
      target,
      list.toSorted((a, b) => (order === 'asc' ? compare(a, b) : compare(b, a))),
    )
  }
})
