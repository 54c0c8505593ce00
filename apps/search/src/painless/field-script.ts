import { isAppError } from '@logstack/errors'
import type { ComputedField } from '../model/mapping.ts'
import { compileDissection } from '../patterns/dissection.ts'
import { compileGrok } from '../patterns/grok/compile-grok.ts'
import { legacyPatterns } from '../patterns/grok/legacy-patterns.ts'
import type { Doc } from './doc-values.ts'
import { Names } from './frame.ts'
import { HostObject } from './host-object.ts'
import { JavaFault } from './java-fault.ts'
import { textOf } from './java-values.ts'
import { valuesAStep } from './run-costs.ts'
import { scoreFunction, scoreFunctionForms } from './score-functions.ts'
import { compileReturning, readScript, type StoredScripts } from './script.ts'
import { mapEntries } from './script-map.ts'
import { spend } from './script-run.ts'
import { lettersOf } from './text-length.ts'
import { numberOf } from './typed-number.ts'

/** What a script is for, which decides what it can call: `score` has the functions of scores, and `composite` emits values by their names (pairs of both). */
export type FieldContext = 'score' | 'composite' | 'other'

/** What the script of a computed field is for. */
export function contextOf({ gives }: ComputedField): FieldContext {
  if (gives === 'named') return 'composite'
  return gives === 'score' || gives === 'factor' ? 'score' : 'other'
}

/** What a script over one document sees. */
export interface FieldScriptInput {
  readonly doc: Doc
  /** The parsed source: `params._source`. */
  readonly source: unknown
  /** `_score`, where scores are known. */
  readonly score?: number
  /** Whether a fault of the script ends only it: what it emitted before stays. */
  readonly bearsFaults?: boolean
  /** `_value`: the value of the field that a script of an aggregation runs over. */
  readonly value?: unknown
  /** The runtime field that the script emits values of. */
  readonly field?: string
}

/** Values, and letters of texts, that a script may emit of one document: Elasticsearch's. */
const emitMost = { values: 100, letters: 1024 ** 2 } as const

/** A compiled script over a document: what it returned, and what it gave to `emit`; their numbers have Java's types. */
export type FieldScript = (input: FieldScriptInput) => {
  readonly returned: unknown
  readonly emitted: readonly unknown[]
}

type Extract = (text: string) => Readonly<Record<string, unknown>> | null

/** Patterns of a script that are kept compiled, and the steps that compiling one counts as. */
const extractorsMax = 50
const stepsToCompile = 2_000

/** `emit`: keeps what it is given, as far as Elasticsearch would. A point is given as its latitude and longitude. */
function emitInto(emitted: unknown[], context: FieldContext, field = ''): (...values: unknown[]) => void {
  let letters = 0
  const refuse = (count: number, what: string, most: number): never => {
    const reason = `Runtime field [${field}] is emitting [${count}] ${what} while the maximum number of values allowed is [${most}]`
    throw new JavaFault('illegal_argument_exception', reason)
  }
  return (...values) => {
    if (emitted.length >= emitMost.values) refuse(emitted.length + 1, 'values', emitMost.values)
    letters += lettersOf(values)
    if (letters > emitMost.letters) refuse(letters, 'characters', emitMost.letters)
    emitted.push(...emittedBy(values, context))
  }
}

/** `grok('%{…}')` and `dissect('%{…}')`, whose `extract(text)` gives a map, or null for a text that does not fit. */
class GroupExtractor extends HostObject {
  override readonly className = 'org.elasticsearch.script.NamedGroupExtractor'
  readonly #extract: Extract

  constructor(extract: Extract) {
    super()
    this.#extract = extract
  }

  override method(name: string): ((...args: unknown[]) => unknown) | undefined {
    return name === 'extract' ? (text) => this.#extract(textOf(text)) : undefined
  }

  override steps(_name: string, args: readonly unknown[]): number {
    return Math.ceil(lettersOf(args) / valuesAStep)
  }

  override text(): string {
    return this.className
  }
}

const fault = (reason: string) => new JavaFault('illegal_argument_exception', reason)
const extractors = {
  grok(pattern: string): Extract {
    const grok = compileGrok(pattern, legacyPatterns, fault)
    return (text) => {
      const found = grok.match(text)
      return found ? Object.fromEntries(found.map(({ field, values }) => [field, values[0] ?? null])) : null
    }
  },
  dissect(pattern: string): Extract {
    const dissect = compileDissection(pattern, '', fault)
    return (text) => {
      const found = dissect(text)
      return found ? Object.fromEntries(found) : null
    }
  },
}

/** Makes the extractors of one script, the first patterns compiled once. */
function extractorsOf(make: (pattern: string) => Extract): (pattern: unknown) => GroupExtractor {
  const known = new Map<string, GroupExtractor>()
  return (given) => {
    const pattern = textOf(given)
    const extractor = known.get(pattern)
    if (extractor) return extractor
    spend(stepsToCompile)
    const made = new GroupExtractor(make(pattern))
    // A script has a few of them; one that makes them up must not fill the memory.
    if (known.size < extractorsMax) known.set(pattern, made)
    return made
  }
}

/** What `emit` takes: of composite fields a map of values by their names, or a name and its value; of others a value, of points two numbers. */
const emitForms = { composite: [['Map'], ['String', 'Object']], other: [['def'], ['def', 'def']] } as const

/** What one `emit` adds to what was emitted. */
function emittedBy(values: readonly unknown[], context: FieldContext): readonly unknown[] {
  const [first, second] = values
  if (context !== 'composite') return [values.length === 2 ? values : first]
  if (values.length === 2) return [[first, second]]
  if (first === null) throw new JavaFault('null_pointer_exception', 'a map of values was expected, and null was given')
  return mapEntries(Object(first))
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
    doc: names.declare('doc', 'Map', 0).slot,
    params: names.declare('params', 'Map', 0).slot,
    score: names.declare('_score', 'double', 0).slot,
    over: names.declare('_value', 'def', 0).slot,
    emit: names.declareFunction('emit', emitForms[context === 'composite' ? 'composite' : 'other']).slot,
    field: names.declareFunction('field').slot,
    value: names.declareFunction('$').slot,
    grok: names.declareFunction('grok').slot,
    dissect: names.declareFunction('dissect').slot,
  }
  const run = compileReturning(source, names)
  const [grok, dissect] = [extractorsOf(extractors.grok), extractorsOf(extractors.dissect)]
  return ({ doc, source: document, score = 0, value = null, field, bearsFaults = false }) => {
    const emitted: unknown[] = []
    const memory: unknown[] = []
    memory[slots.doc] = doc
    memory[slots.params] = { ...params, _source: document }
    memory[slots.score] = numberOf('double', score)
    memory[slots.over] = value
    memory[slots.emit] = emitInto(emitted, context, field)
    memory[slots.field] = (path: unknown) => doc.field(String(path))
    memory[slots.value] = (path: unknown, otherwise: unknown) => doc.field(String(path)).method('get')?.(otherwise)
    memory[slots.grok] = grok
    memory[slots.dissect] = dissect
    for (const [name, slot] of ofScores) memory[slot] = scoreFunction(name, doc)
    try {
      return { returned: run(memory), emitted }
    } catch (thrown) {
      if (bearsFaults && isAppError(thrown)) return { returned: null, emitted }
      throw thrown
    }
  }
}

/** Whether a script asks for the score of its document. */
export function asksForScore(script: unknown): boolean {
  const { source, inline }: { source?: unknown; inline?: unknown } = Object(script)
  const text = typeof script === 'string' ? script : (source ?? inline)
  return typeof text === 'string' && /\b_score\b/u.test(text)
}
