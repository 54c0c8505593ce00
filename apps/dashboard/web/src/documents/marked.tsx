import { Mark } from '@mantine/core'
import { highlightTags } from '../api/search.ts'

/** A value in which what was looked for is marked. */
export function Marked({ text }: { text: string }) {
  // Each part after an opening tag begins with what is marked.
  const [first, ...parts] = text.split(highlightTags.open)
  let at = 0
  return (
    <>
      {first}
      {parts.map((part) => {
        const [marked, ...rest] = part.split(highlightTags.close)
        at += part.length + 1
        return (
          <span key={at}>
            <Mark>{marked}</Mark>
            {rest.join('')}
          </span>
        )
      })}
    </>
  )
}
