import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { linesOf } from './policy-draft.ts'

/** A list of texts, one a line. It owns what is typed: `lines` is what it begins with. */
export function LinesInput({
  label,
  lines,
  onChange,
}: {
  label: string
  lines: readonly string[]
  onChange: (lines: string[]) => void
}) {
  const [text, setText] = useState(lines.join('\n'))
  return (
    <Textarea
      size="xs"
      label={label}
      autosize
      maxRows={8}
      value={text}
      classNames={{ input: 'mono' }}
      onChange={(event) => {
        setText(event.currentTarget.value)
        onChange(linesOf(event.currentTarget.value))
      }}
    />
  )
}
