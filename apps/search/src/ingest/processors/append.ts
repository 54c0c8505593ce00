import { defineProcessor } from '../define-processor.ts'
import { compileValue } from '../template.ts'

/** `append`: adds values to a list, which is made when there is none. */
export const appendProcessor = defineProcessor('append', (config) => {
  const field = config.template('field')
  const fill = compileValue(config.required('value'))
  const allowDuplicates = config.boolean('allow_duplicates', true)
  return (document) => {
    const made = fill(document)
    document.append(field(document), Array.isArray(made) ? made : [made], allowDuplicates)
  }
})
