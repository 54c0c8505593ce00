import { textOf } from '../../painless/java-values.ts'
import { joinedTexts } from '../../painless/text-length.ts'
import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'
import { javaType } from '../ingest-document.ts'

/** `join`: makes one text of a list. */
export const joinProcessor = defineProcessor('join', (config) => {
  const field = config.text('field')
  const separator = config.text('separator')
  const target = config.optionalText('target_field') ?? field
  return (document) => {
    const list = document.get(field)
    if (list === null) throw unfit(`field [${field}] is null, cannot join.`)
    if (!Array.isArray(list))
      throw unfit(`field [${field}] of type [${javaType(list)}] cannot be cast to [java.util.List]`)
    document.set(target, joinedTexts(list.map(textOf), separator))
  }
})
