import { compileGrok, type GrokSpan } from '../../patterns/grok/compile-grok.ts'
import { grokPatterns } from '../../patterns/grok/patterns.ts'
import { defineProcessor } from '../define-processor.ts'

/** `redact`: the names of expressions in place of what fits them. */
export const redactProcessor = defineProcessor('redact', (config) => {
  const field = config.text('field')
  const patterns = config.texts('patterns')
  if (patterns.length === 0) throw config.fault('patterns', 'List of patterns must not be empty')
  const own = Object.entries(config.optionalObject('pattern_definitions') ?? {})
  const dictionary = { ...grokPatterns, ...Object.fromEntries(own.map(([name, text]) => [name, String(text)])) }
  const ignoreMissing = config.boolean('ignore_missing', true)
  const [open, close] = [config.optionalText('prefix') ?? '<', config.optionalText('suffix') ?? '>']
  // There are no licences here: the processor always works.
  config.boolean('skip_if_unlicensed')
  const traces = config.boolean('trace_redact')
  const compiled = patterns.map((pattern) =>
    compileGrok(pattern, dictionary, (reason) =>
      config.fault('patterns', `Invalid regex pattern found in: [${patterns.join(', ')}]. ${reason}`),
    ),
  )
  return (document) => {
    const text = document.text(field, ignoreMissing)
    if (text === undefined) return
    const spans = apart(compiled.flatMap((grok) => grok.spans(text)))
    if (spans.length === 0) return
    let redacted = ''
    let from = 0
    for (const span of spans) {
      redacted += `${text.slice(from, span.from)}${open}${span.field}${close}`
      from = span.to
    }
    document.set(field, redacted + text.slice(from))
    if (traces) document.set('_ingest._redact._is_redacted', true)
  }
})

/** Spans in order; those that lie over each other are one, with the name of the longest. */
function apart(spans: readonly GrokSpan[]): GrokSpan[] {
  const joined: (GrokSpan & { readonly longest: number })[] = []
  for (const span of [...spans].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = joined.at(-1)
    const length = span.to - span.from
    if (!last || span.from >= last.to) joined.push({ ...span, longest: length })
    else {
      const isLonger = length > last.longest
      const field = isLonger ? span.field : last.field
      joined[joined.length - 1] = {
        from: last.from,
        to: Math.max(last.to, span.to),
        field,
        longest: Math.max(length, last.longest),
      }
    }
  }
  return joined
}
