import { type Json, text } from './saved-json.ts'

/** What a scripted field becomes: Kibana's scripts return a value, those of runtime fields emit it. */
export function scriptedField(
  field: Json,
):
  | { readonly type: string; readonly script: { readonly source: string }; readonly on_script_error: 'continue' }
  | undefined {
  const source = text(field['script'])
  if (field['scripted'] !== true || source === undefined || text(field['name']) === undefined) return undefined
  const type = types[text(field['type']) ?? ''] ?? 'keyword'
  const painless = field['lang'] === 'expression' ? ofExpression(source) : source
  // Old scripts count on missing values being nought or empty: they leave a document without a value, not the search without an answer.
  return { type, script: { source: emitting(painless, type) }, on_script_error: 'continue' }
}

const types: Readonly<Record<string, string>> = {
  number: 'double',
  string: 'keyword',
  boolean: 'boolean',
  date: 'date',
  ip: 'ip',
}

/** A Lucene expression in Painless: missing numbers are nought in it, and its functions those of mathematics. */
function ofExpression(source: string): string {
  return source
    .replaceAll(
      /doc\['([^']*)'\]\.value/g,
      (_whole, name: string) => `(doc['${name}'].size() == 0 ? 0 : doc['${name}'].value)`,
    )
    .replaceAll(/\bln\(/g, 'Math.log(')
    .replaceAll(/(?<![.\w])(abs|a?(?:sin|cos|tan)h?|atan2|ceil|exp|floor|log10|max|min|pow|sqrt)\(/g, 'Math.$1(')
}

/** A script with its values emitted: those it returns, and that of its last expression. */
export function emitting(source: string, type: string): string {
  const pieces = piecesOf(source)
  let written = ''
  let at = 0
  while (at < pieces.length) {
    if (pieces[at] === 'return') {
      const end = statementEnd(pieces, at + 1)
      written += emit(pieces.slice(at + 1, end).join(''), type)
      at = pieces[end] === ';' ? end + 1 : end
    } else {
      // What a function or a lambda in the script returns is not the script's value.
      const end = pieces[at] === '{' && opensFunction(pieces, at) ? statementEnd(pieces, at + 1, '}') + 1 : at + 1
      written += pieces.slice(at, end).join('')
      at = end
    }
  }
  return withLastEmitted(written, type)
}

// Words, texts, comments, and signs one by one: what stands in texts and comments is no statement.
const piece = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\w+|\s+|[\s\S]/g

function piecesOf(source: string): readonly string[] {
  return source.match(piece) ?? []
}

function opensFunction(pieces: readonly string[], at: number): boolean {
  const before = pieces
    .slice(0, at)
    .filter((one) => one.trim() !== '' && !isComment(one))
    .join(' ')
  if (before.endsWith('- >')) return true
  // A name with its type, and parameters: `String upper(String given) {`.
  return /(?:^|[;}]) ?\w[\w ,.<>[\]]* \w+ \([^()]*\)$/.test(before) && !/(?:else|new) \w+ \([^()]*\)$/.test(before)
}

const opens = new Set(['(', '[', '{'])
const closes = new Set([')', ']', '}'])

/** Where the statement ends that goes on at a piece: at its semicolon, or at what closes the block around it; at the latter alone for `}`. */
function statementEnd(pieces: readonly string[], from: number, end: ';' | '}' = ';'): number {
  let depth = 0
  for (let at = from; at < pieces.length; at++) {
    const one = pieces[at] ?? ''
    if (opens.has(one)) depth++
    else if (closes.has(one)) {
      if (depth === 0) return at
      depth--
    } else if (one === ';' && end === ';' && depth === 0) return at
  }
  return pieces.length
}

/** Painless gives the last expression back where nothing was returned. */
function withLastEmitted(source: string, type: string): string {
  const pieces = piecesOf(source)
  let depth = 0
  let from = 0
  for (const [at, one] of pieces.entries()) {
    if (opens.has(one)) depth++
    else if (closes.has(one)) depth--
    const isEnd = depth === 0 && (one === ';' || one === '}')
    if (isEnd && pieces.slice(at + 1).some(isWord)) from = at + 1
  }
  const head = pieces.slice(0, from).join('')
  const last = pieces
    .slice(from)
    .filter((one) => !isComment(one))
    .join('')
    .trim()
    .replace(/;$/, '')
  return last === '' || /^(?:if|for|while|do|try|throw|def|\{)\b|[};]$/.test(last) ? source : head + emit(last, type)
}

function isComment(one: string): boolean {
  return one.startsWith('//') || one.startsWith('/*')
}

function isWord(one: string): boolean {
  return one.trim() !== '' && one !== ';' && !isComment(one)
}

function emit(value: string, type: string): string {
  if (value.trim() === '' || value.trim() === 'null') return 'return;'
  return `{ def scripted = ${value.trim()}; if (scripted != null) { emit(${converted(type)}); } return; }`
}

function converted(type: string): string {
  if (type === 'double') return '((Number) scripted).doubleValue()'
  if (type === 'boolean') return 'scripted'
  if (type !== 'date') return 'String.valueOf(scripted)'
  return 'scripted instanceof Number ? ((Number) scripted).longValue() : scripted.toInstant().toEpochMilli()'
}
