import { type Piece, TemplateFault } from './parse-template.ts'

type Params = Readonly<Record<string, unknown>>
/** What names are looked up in, the innermost last. */
type Scopes = readonly unknown[]

/** Letters that a template may become: the standard of Elasticsearch's `mustache.max_output_size_bytes`. */
export const renderedCharsMax = 1024 ** 2
/** What Elasticsearch says of a template that becomes longer. */
export const tooLongReason = 'Mustache script result size limit exceeded'
/** Pieces that are rendered and names that are looked up, as often as they are. */
const stepsMax = 1_000_000

/** A template with its parameters that becomes too long. */
export class TemplateTooLong extends TemplateFault {
  override readonly name = 'TemplateTooLong'
}

/** A template with its parameters put in; values are escaped as parts of JSON texts. Throws a `TemplateFault` for what becomes too long or takes too many steps. */
export function renderTemplate(pieces: readonly Piece[], params: Params): string {
  return new Rendering().render(pieces, [params])
}

/** One rendering of a template, which counts what it does: sections in sections go through lists of lists. */
class Rendering {
  #steps = 0

  render(pieces: readonly Piece[], scopes: Scopes): string {
    let made = ''
    for (const piece of pieces) made = bounded(made + this.#piece(piece, scopes))
    return made
  }

  #piece(piece: Piece, scopes: Scopes): string {
    this.#count(1)
    if (piece.kind === 'text') return piece.text
    if (piece.kind === 'value') {
      const text = bounded(shown(this.#find(piece.path, scopes)))
      return piece.escaped ? JSON.stringify(text).slice(1, -1) : text
    }
    const apply = piece.kind === 'section' ? this.#functionOf(piece.path) : undefined
    if (apply) return apply(piece.body, scopes)
    const value = this.#find(piece.path, scopes)
    const holds =
      value !== undefined &&
      value !== null &&
      value !== false &&
      value !== '' &&
      !(Array.isArray(value) && value.length === 0)
    if (piece.kind === 'inverted') return holds ? '' : this.render(piece.body, scopes)
    if (!holds) return ''
    let made = ''
    for (const round of Array.isArray(value) ? value : [value]) {
      this.#count(1)
      made = bounded(made + this.render(piece.body, [...scopes, round]))
    }
    return made
  }

  /** `{{#toJson}}name{{/toJson}}`, `{{#join}}name{{/join}}`, `{{#join delimiter='|'}}…`, `{{#url}}…{{/url}}`. */
  #functionOf(path: string): ((body: readonly Piece[], scopes: Scopes) => string) | undefined {
    const named = (body: readonly Piece[], scopes: Scopes) => this.#find(this.render(body, scopes).trim(), scopes)
    if (path === 'toJson') return (body, scopes) => JSON.stringify(named(body, scopes) ?? null)
    if (path === 'url') return (body, scopes) => encodeURIComponent(this.render(body, scopes))
    const join = /^join(?:\s+delimiter=(['"])(.*)\1)?$/u.exec(path)
    if (!join) return undefined
    return (body, scopes) => {
      const value = named(body, scopes)
      return Array.isArray(value) ? joined(value, join[2] ?? ',') : shown(value)
    }
  }

  #find(path: string, scopes: Scopes): unknown {
    if (path === '.') return scopes.at(-1)
    const steps = path.split('.')
    this.#count(steps.length)
    for (const scope of [...scopes].reverse()) {
      const found = this.#within(scope, steps)
      if (found !== undefined) return found
    }
    return undefined
  }

  #within(scope: unknown, steps: readonly string[]): unknown {
    let value = scope
    for (const step of steps) {
      this.#count(1)
      value = member(value, step)
      if (value === undefined) break
    }
    return value
  }

  #count(steps: number): void {
    this.#steps += steps
    if (this.#steps > stepsMax) throw new TemplateFault(`A template may take at most [${stepsMax}] steps to be filled`)
  }
}

/** Throws a `TemplateTooLong` for a text that is longer than a template may become. */
function bounded(text: string): string {
  if (text.length > renderedCharsMax) throw new TemplateTooLong(tooLongReason)
  return text
}

function joined(values: readonly unknown[], delimiter: string): string {
  let made = ''
  for (const [at, value] of values.entries()) made = bounded(`${made}${at === 0 ? '' : delimiter}${shown(value)}`)
  return made
}

function member(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return step === 'size' ? value.length : (value[Number(step)] as unknown)
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, step)) return undefined
  return (value as Params)[step]
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
