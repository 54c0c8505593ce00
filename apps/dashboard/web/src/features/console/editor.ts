import { EditorState, Prec } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { codeEditor } from '../../editor/code-editor.ts'
import { type Completion, completionAt, type KnownNames } from './complete.ts'

/** What the editor of requests begins with, and tells. */
interface RequestEditor {
  readonly text: string
  readonly label: string
  readonly onChange: (text: string) => void
  readonly onSend: (line: number) => void
  /** What is known of search at an offset of the text. */
  readonly namesAt: (text: string, offset: number) => Promise<KnownNames>
}

/** The editor of requests; `onSend` gets the line of the cursor on Ctrl+Enter (Cmd+Enter on a Mac). It completes by itself, and on Ctrl+Space. */
export function requestEditor(parent: HTMLElement, options: RequestEditor): EditorView {
  // Made once: the editor takes another function for another source, and drops what the one before found.
  const completions = [{ autocomplete: completing(options.namesAt) }]
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
      codeEditor,
      EditorState.languageData.of(() => completions),
      EditorView.contentAttributes.of({ 'aria-label': options.label, spellcheck: 'false', tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) options.onChange(update.state.doc.toString())
      }),
    ],
  })
}

interface CompletionPlace {
  readonly state: EditorState
  readonly pos: number
  readonly explicit: boolean
}

/** The editor's own form of what may come next. */
function completing(namesAt: RequestEditor['namesAt']) {
  return async ({ state, pos, explicit }: CompletionPlace) => {
    const text = state.doc.toString()
    const found = completionAt(text, pos, await namesAt(text, pos))
    // Nothing was begun: only who asks is told all that may come.
    if (!found || (found.from === pos && !found.quoted && found.kind !== 'path' && !explicit)) return null
    const apply = (view: EditorView, { label }: { readonly label: string }, from: number, to: number): void =>
      insert(view, found, label, { from, to })
    return {
      from: found.from,
      options: found.options.map((label) => ({ label, type: found.kind, apply })),
      validFor: /^[\w@.*-]*$/,
    }
  }
}

/** Puts a completion in with the quotes and the colon it needs, unless they are there. */
function insert(
  view: EditorView,
  { kind, quoted }: Completion,
  label: string,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const after = view.state.doc.sliceString(to, view.state.doc.lineAt(to).to)
  const isQuoted = kind === 'key' || kind === 'value'
  const hasQuote = quoted && after.startsWith('"')
  const ends = { method: ' ', parameter: '=', path: '', value: '', key: /^"?\s*:/.test(after) ? '' : ': ' }
  const text = `${isQuoted && !quoted ? '"' : ''}${label}${isQuoted ? '"' : ''}${ends[kind]}`
  view.dispatch({
    changes: { from, to: to + Number(hasQuote), insert: text },
    selection: { anchor: from + text.length },
    userEvent: 'input.complete',
    scrollIntoView: true,
  })
}

/** The read-only view of an answer. */
export function responseViewer(parent: HTMLElement, label: string): EditorView {
  return new EditorView({
    parent,
    doc: '',
    extensions: [
      codeEditor,
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

/** Adds a request at the end, with a blank line above it, and puts the cursor there. */
export function appendRequest(view: EditorView, request: string): void {
  const before = view.state.doc.toString().trimEnd()
  const at = before === '' ? 0 : before.length + 2
  const changes = { from: before.length, to: view.state.doc.length, insert: before === '' ? request : `\n\n${request}` }
  view.dispatch({ changes, selection: { anchor: at }, scrollIntoView: true })
  view.focus()
}
