import { defaultHighlightStyle, HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { basicSetup } from 'codemirror'

interface ConsoleState {
  afterMethod: boolean
}

const consoleLanguage = StreamLanguage.define<ConsoleState>({
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
  { tag: tags.keyword, color: 'var(--console-method)', fontWeight: '700' },
  { tag: tags.link, color: 'var(--console-path)' },
  { tag: tags.comment, color: 'var(--muted-text)', fontStyle: 'italic' },
  { tag: tags.propertyName, color: 'var(--console-key)' },
  { tag: tags.string, color: 'var(--console-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--console-number)' },
])

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'transparent', color: 'inherit' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--muted-text)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--row-hover)' },
  '.cm-cursor': { borderLeftColor: 'currentColor' },
  '&.cm-focused': { outline: 'none' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--console-selection)' },
})

const shared: Extension = [
  basicSetup,
  look,
  syntaxHighlighting(colors),
  syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
]

/** The editor of requests; `onSend` gets the line of the cursor on Ctrl+Enter (Cmd+Enter on a Mac). */
export function requestEditor(
  parent: HTMLElement,
  options: { text: string; label: string; onChange: (text: string) => void; onSend: (line: number) => void },
): EditorView {
  const send = (view: EditorView): boolean => {
    options.onSend(cursorLine(view))
    return true
  }
  return new EditorView({
    parent,
    doc: options.text,
    extensions: [
      // Before the editor's own keys, which use Ctrl+Enter for a blank line.
      Prec.highest(keymap.of([{ key: 'Mod-Enter', run: send }])),
      shared,
      consoleLanguage,
      EditorView.contentAttributes.of({ 'aria-label': options.label, spellcheck: 'false', tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) options.onChange(update.state.doc.toString())
      }),
    ],
  })
}

/** The read-only view of an answer. */
export function responseViewer(parent: HTMLElement, label: string): EditorView {
  return new EditorView({
    parent,
    doc: '',
    extensions: [
      shared,
      consoleLanguage,
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    ],
  })
}

/** Replaces all text of a view. */
export function setText(view: EditorView, text: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
}

/** The cursor's line, counted from 0. */
export function cursorLine(view: EditorView): number {
  return view.state.doc.lineAt(view.state.selection.main.head).number - 1
}
