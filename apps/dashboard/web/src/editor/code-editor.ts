import { defaultHighlightStyle, HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { basicSetup } from 'codemirror'
import './code-editor.css'

interface RequestState {
  afterMethod: boolean
}

const requestLanguage = StreamLanguage.define<RequestState>({
  startState: () => ({ afterMethod: false }),
  token(stream, state) {
    if (stream.sol()) {
      state.afterMethod = false
      if (stream.match(/^\s*(#|\/\/).*/)) return 'comment'
      if (stream.match(/^(GET|POST|PUT|DELETE|HEAD)(?=\s)/i)) {
        state.afterMethod = true
        return 'keyword'
      }
    }
    if (stream.eatSpace()) return null
    if (state.afterMethod) {
      stream.skipToEnd()
      return 'link'
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"(?=\s*:)/)) return 'propertyName'
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string'
    if (stream.match(/^-?\d+(\.\d+)?([eE][+-]?\d+)?/)) return 'number'
    if (stream.match(/^(true|false|null)\b/)) return 'bool'
    stream.next()
    return null
  },
  languageData: { commentTokens: { line: '#' }, closeBrackets: { brackets: ['(', '[', '{', '"'] } },
})

const colors = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-method)', fontWeight: '700' },
  { tag: tags.link, color: 'var(--code-path)' },
  { tag: tags.comment, color: 'var(--muted-text)', fontStyle: 'italic' },
  { tag: tags.propertyName, color: 'var(--code-key)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
])

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'transparent', color: 'inherit' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--muted-text)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--row-hover)' },
  '.cm-cursor': { borderLeftColor: 'currentColor' },
  '&.cm-focused': { outline: 'none' },
  '.cm-tooltip': { backgroundColor: 'var(--panel-background)', color: 'inherit', borderColor: 'var(--panel-border)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--code-selection)', color: 'inherit' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--code-selection)' },
})

/** How every editor of code looks and behaves: JSON, and requests with a body of it. */
export const codeEditor: Extension = [
  basicSetup,
  look,
  syntaxHighlighting(colors),
  syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
  requestLanguage,
]
