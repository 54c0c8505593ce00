import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'

/** `dot_expander`: makes objects of a field that has dots in its name, so that other processors find it. */
export const dotExpanderProcessor = defineProcessor('dot_expander', (config) => {
  const field = config.text('field')
  const path = config.optionalText('path')
  const override = config.boolean('override')
  if (field !== '*' && !field.includes('.'))
    throw config.fault('field', 'field does not contain a dot and is not a wildcard')
  if (/^\.|\.$/.test(field)) throw config.fault('field', "Field can't start or end with a dot")
  return (document) => {
    const map = path === undefined ? document.ctx : document.get(path)
    if (typeof map !== 'object' || map === null || Array.isArray(map)) throw unfit(`path [${path}] is not an object`)
    const dictionary = map as Record<string, unknown>
    const names = field === '*' ? Object.keys(dictionary).filter((name) => name.includes('.')) : [field]
    for (const name of names) {
      if (!Object.hasOwn(dictionary, name)) continue
      const value = dictionary[name]
      const target = path === undefined ? name : `${path}.${name}`
      delete dictionary[name]
      if (override || document.find(target) === undefined) document.set(target, value)
      else document.append(target, Array.isArray(value) ? value : [value])
    }
  }
})
