import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { Box, Input } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { codeEditor } from './code-editor.ts'

/** An editor of JSON, `heightPx` high. It owns its text: `text` is what it begins with, `onChange` tells all that follows. */
export function JsonEditor({
  label,
  text,
  heightPx,
  onChange,
}: {
  label: string
  text: string
  heightPx: number
  onChange: (text: string) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const first = useRef({ text, label, onChange })
  first.current.onChange = onChange
  useEffect(() => {
    if (!box.current) return undefined
    const view = new EditorView({
      parent: box.current,
      doc: first.current.text,
      extensions: [
        codeEditor,
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({ 'aria-label': first.current.label, spellcheck: 'false', tabindex: '0' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) first.current.onChange(update.state.doc.toString())
        }),
      ],
    })
    return () => view.destroy()
  }, [])
  return (
    <div>
      <Input.Label component="div">{label}</Input.Label>
      <Box ref={box} className="json-editor" h={heightPx} />
    </div>
  )
}
