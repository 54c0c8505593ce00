import { useCombobox } from '@mantine/core'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Completion } from './suggestions.tsx'

/** A text that is completed while it is written: what an input and the list below it need. `query` is the text as it was last run. */
export function useCompletion<Input extends HTMLInputElement | HTMLTextAreaElement>(query: string) {
  const [text, setText] = useState(query)
  const [cursor, setCursor] = useState(0)
  const input = useRef<Input>(null)
  // Where the cursor goes once the input shows the text of an option: in the same turn, as the next key may be typed before the next frame is drawn.
  const completedAt = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (completedAt.current === undefined) return
    input.current?.setSelectionRange(completedAt.current, completedAt.current)
    completedAt.current = undefined
  })
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  useEffect(() => setText(query), [query])
  const write = (next: string, at: number): void => {
    setText(next)
    setCursor(at)
    combobox.resetSelectedOption()
    combobox.openDropdown()
  }
  /** Takes an option, which is a `Completion` as JSON. */
  const complete = (option: string): void => {
    const { from, insert } = JSON.parse(option) as Completion
    const at = from + insert.length
    completedAt.current = at
    write(`${text.slice(0, from)}${insert}${text.slice(cursor)}`, at)
  }
  return { text, cursor, input, combobox, write, complete }
}
