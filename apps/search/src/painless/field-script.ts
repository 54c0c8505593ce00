import { compileGrok } from '../ingest/grok/compile-grok.ts'
import { legacyPatterns } from '../ingest/grok/legacy-patterns.ts'
import type { Doc } from './doc-values.ts'
import { Names } from './frame.ts'
import { HostObject } from './host-object.ts'
import { scoreFunction, scoreFunctionForms } from './score-functions.ts'
import { compileReturning, readScript, type StoredScripts } from './script.ts'
import { numberOf } from './typed-number.ts'

/** What a script is for, which decides what it can call: `score` has the functions of scores. */
export type FieldContext = 'score' | 'other'

/** What a script over one document sees. */
export interface FieldScriptInput {
  readonly doc: Doc
  /** The parsed source: `params._source`. */
  readonly source: unknown
  /** `_score`, where scores are known. */
  readonly score?: number
  /** `_value`: the value of the field that a script of an aggregation runs over. */
  readonly value?: unknown
}

/** A compiled script over a document: what it returned, and what it gave to `emit`; their numbers have Java's types. */
export type FieldScript = (input: FieldScriptInput) => {
  readonly returned: unknown
  readonly emitted: readonly unknown[]
}

/** `grok('%{…}').extract(text)`. */
class GrokExtractor extends HostObject {
  override readonly className = 'org.elasticsearch.script.NamedGroupExtractor'
  readonly #grok: ReturnType<typeof compileGrok>

  constructor(expression: string) {
    super()
    this.#grok = compileGrok(expression, legacyPatterns, (reason) => new SyntaxError(reason))
  }

  override method(name: string): ((...args: unknown[]) => unknown) | undefined {
    if (name !== 'extract') return undefined
    return (text) => {
      const found = this.#grok.match(String(text))
      return found ? Object.fromEntries(found.map(({ field, values }) => [field, values[0] ?? null])) : null
    }
  }

  override text(): string {
    return 'grok'
  }
}

/**
 * Compiles a script over one document, as `script_fields`, runtime fields, `script` queries and `_script` sorts have them: `doc`, `params` with
 * `_source`, `_score`, `emit`, `field` and `grok`. Throws as `compileScript` does.
 */
export function compileFieldScript(
  script: unknown,
  stored: StoredScripts = () => undefined,
  context: FieldContext = 'other',
): FieldScript {
  const { source, params } = readScript(script, stored)
  const names = new Names()
  const ofScores =
    context === 'score'
      ? [...scoreFunctionForms].map(
          ([name, forms]) => [name, names.declareFunction(name, forms, 'double').slot] as const,
        )
      : []
  if (context === 'score') names.returning('double')
  const slots = {
    doc: names.declare('doc', 'def', 0).slot,
    params: names.declare('params', 'def', 0).slot,
    score: names.declare('_score', 'double', 0).slot,
    over: names.declare('_value', 'def', 0).slot,
    emit: names.declareFunction('emit').slot,
    field: names.declareFunction('field').slot,
    value: names.declareFunction('$').slot,
    grok: names.declareFunction('grok').slot,
  }
  const run = compileReturning(source, names)
  const groks = new Map<string, GrokExtractor>()
  const grok = (expression: unknown) => {
    const known = groks.get(String(expression)) ?? new GrokExtractor(String(expression))
    groks.set(String(expression), known)
    return known
  }
  return ({ doc, source: document, score = 0, value = null }) => {
    const emitted: unknown[] = []
    const memory: unknown[] = []
    memory[slots.doc] = doc
    memory[slots.params] = { ...params, _source: document }
    memory[slots.score] = numberOf('double', score)
    memory[slots.over] = value
    // A point is given as its latitude and longitude.
    memory[slots.emit] = (...values: unknown[]) => void emitted.push(values.length === 2 ? values : values[0])
    memory[slots.field] = (path: unknown) => doc.field(String(path))
    memory[slots.value] = (path: unknown, otherwise: unknown) => doc.field(String(path)).method('get')?.(otherwise)
    memory[slots.grok] = grok
    for (const [name, slot] of ofScores) memory[slot] = scoreFunction(name, doc)
    return { returned: run(memory), emitted }
  }
}

/** Whether a script asks for the score of its document. */
export function asksForScore(script: unknown): boolean {
  const { source, inline }: { source?: unknown; inline?: unknown } = Object(script)
  const text = typeof script === 'string' ? script : (source ?? inline)
  return typeof text === 'string' && /\b_score\b/u.test(text)
}
