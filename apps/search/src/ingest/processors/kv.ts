import { javaPattern, javaSplit } from '../../patterns/java-pattern.ts'
import { watchPattern } from '../../patterns/pattern-watch.ts'
import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'

function trimmer(characters: string | undefined): (text: string) => string {
  if (characters === undefined) return (text) => text
  const letters = new Set(characters.split(''))
  return (text) => {
    let from = 0
    let to = text.length
    while (from < to && letters.has(text.charAt(from))) from++
    while (to > from && letters.has(text.charAt(to - 1))) to--
    return text.slice(from, to)
  }
}

/** One pair of brackets or quotes around a value. */
function unbracketed(text: string): string {
  const pair = `${text.charAt(0)}${text.charAt(text.length - 1)}`
  return text.length > 1 && ['()', '[]', '<>', '""', "''"].includes(pair) ? text.slice(1, -1) : text
}

/** `kv`: fields from a text of keys and values. */
export const kvProcessor = defineProcessor('kv', (config) => {
  const field = config.template('field')
  const fieldSplit = javaPattern(config.text('field_split'), (reason) => config.fault('field_split', reason), 'g')
  const valueSplit = javaPattern(config.text('value_split'), (reason) => config.fault('value_split', reason))
  const watchFields = watchPattern(fieldSplit)
  const watchValue = watchPattern(valueSplit)
  const target = config.any('target_field') === undefined ? undefined : config.template('target_field')
  const prefix = config.optionalText('prefix') ?? ''
  const included = config.optionalTexts('include_keys')
  const include = included && new Set(included)
  const exclude = new Set(config.optionalTexts('exclude_keys'))
  const ignoreMissing = config.boolean('ignore_missing')
  const trimKey = trimmer(config.optionalText('trim_key'))
  const trimValue = trimmer(config.optionalText('trim_value'))
  const strip = config.boolean('strip_brackets') ? unbracketed : (text: string) => text
  return (document) => {
    const path = field(document)
    const text = document.text(path, ignoreMissing)
    if (text === undefined) return
    const at = target === undefined ? '' : `${target(document)}.`
    for (const part of watchFields(text, () => javaSplit(text, fieldSplit))) {
      const split = watchValue(part, () => valueSplit.exec(part))
      if (!split) throw unfit(`field [${path}] does not contain value_split [${valueSplit.source}]`)
      const key = trimKey(part.slice(0, split.index))
      if (exclude.has(key) || (include && !include.has(key))) continue
      document.append(at + prefix + key, [strip(trimValue(part.slice(split.index + split[0].length)))])
      const list = document.get(at + prefix + key)
      if (Array.isArray(list) && list.length === 1) document.set(at + prefix + key, list[0])
    }
  }
})
