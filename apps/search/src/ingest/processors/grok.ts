import { compileGroks } from '../../patterns/grok/compile-grok.ts'
import { legacyPatterns } from '../../patterns/grok/legacy-patterns.ts'
import { grokPatterns } from '../../patterns/grok/patterns.ts'
import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'

/** `grok`: fields from a text that fits one of several expressions, the first that does. */
export const grokProcessor = defineProcessor('grok', (config) => {
  const field = config.text('field')
  const patterns = config.texts('patterns')
  if (patterns.length === 0) throw config.fault('patterns', 'List of patterns must not be empty')
  const own = Object.entries(config.optionalObject('pattern_definitions') ?? {}).map(([name, text]) => [
    name,
    String(text),
  ])
  const compatibility = config.optionalText('ecs_compatibility') ?? 'disabled'
  if (!['v1', 'disabled'].includes(compatibility)) {
    throw config.fault('ecs_compatibility', `unsupported mode '${compatibility}'`)
  }
  const ignoreMissing = config.boolean('ignore_missing')
  const trace = config.boolean('trace_match')
  // What several groups of one name found is a list, unless only the first is asked for.
  const all = config.boolean('capture_all_matches', true)
  const dictionary = { ...(compatibility === 'v1' ? grokPatterns : legacyPatterns), ...Object.fromEntries(own) }
  const first = compileGroks(patterns, dictionary, (reason) =>
    config.fault('patterns', `Invalid regex pattern found in: [${patterns.join(', ')}]. ${reason}`),
  )
  return (document) => {
    const text = document.text(field, ignoreMissing)
    if (text === undefined) return
    const found = first(text)
    if (!found) throw unfit(`Provided Grok expressions do not match field value: [${text}]`)
    for (const { field: target, values, type } of found.fields) {
      document.set(target, all && values.length > 1 ? values : values[0])
      document.noteType(target, type)
    }
    if (trace) document.set('_ingest._grok_match_index', String(found.at))
  }
})
