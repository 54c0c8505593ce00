import type { Piece } from './parse-template.ts'

type Params = Readonly<Record<string, unknown>>
/** What names are looked up in, the innermost last. */
type Scopes = readonly unknown[]

/** A template with its parameters put in; values are escaped as parts of JSON texts. */
export function renderTemplate(pieces: readonly Piece[], params: Params): string {
  return render(pieces, [params])
}

function render(pieces: readonly Piece[], scopes: Scopes): string {
  return pieces.map((piece) => renderPiece(piece, scopes)).join('')
}

function renderPiece(piece: Piece, scopes: Scopes): string {
  if (piece.kind === 'text') return piece.text
  if (piece.kind === 'value') {
    const text = shown(find(piece.path, scopes))
    return piece.escaped ? JSON.stringify(text).slice(1, -1) : text
  }
  const apply = piece.kind === 'section' ? functionOf(piece.path) : undefined
  if (apply) return apply(piece.body, scopes)
  const value = find(piece.path, scopes)
  const holds =
    value !== undefined &&
    value !== null &&
    value !== false &&
    value !== '' &&
    !(Array.isArray(value) && value.length === 0)
  if (piece.kind === 'inverted') return holds ? '' : render(piece.body, scopes)
  if (!holds) return ''
  const rounds = Array.isArray(value) ? value : [value]
  return rounds.map((round: unknown) => render(piece.body, [...scopes, round])).join('')
}

/** `{{#toJson}}name{{/toJson}}`, `{{#join}}name{{/join}}`, `{{#join delimiter='|'}}…`, `{{#url}}…{{/url}}`. */
function functionOf(path: string): ((body: readonly Piece[], scopes: Scopes) => string) | undefined {
  const named = (body: readonly Piece[], scopes: Scopes) => find(render(body, scopes).trim(), scopes)
  if (path === 'toJson') return (body, scopes) => JSON.stringify(named(body, scopes) ?? null)
  if (path === 'url') return (body, scopes) => encodeURIComponent(render(body, scopes))
  const join = /^join(?:\s+delimiter=(['"])(.*)\1)?$/u.exec(path)
  if (!join) return undefined
  return (body, scopes) => {
    const value = named(body, scopes)
    return Array.isArray(value) ? value.map(shown).join(join[2] ?? ',') : shown(value)
  }
}

function find(path: string, scopes: Scopes): unknown {
  if (path === '.') return scopes.at(-1)
  const steps = path.split('.')
  for (const scope of [...scopes].reverse()) {
    const found = steps.reduce<unknown>(member, scope)
    if (found !== undefined) return found
  }
  return undefined
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
