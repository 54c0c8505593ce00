import { z } from 'zod'
import { defineStep } from './step.ts'

/** A piece of the text: the literal before a value, and the value's name; empty to skip it. */
interface Piece {
  readonly before: string
  readonly name: string
  readonly isPadded: boolean
}

function piecesOf(text: string): { readonly pieces: readonly Piece[]; readonly tail: string } {
  const pieces: Piece[] = []
  let at = 0
  for (const found of text.matchAll(/%\{([\w.@-]*)(->)?\}/g)) {
    pieces.push({ before: text.slice(at, found.index), name: found[1] ?? '', isPadded: found[2] !== undefined })
    at = found.index + found[0].length
  }
  return { pieces, tail: text.slice(at) }
}

/**
 * `dissect`: literal text with `%{value}` between, each up to the literal that follows; `%{}` is skipped, `%{value->}` takes repeated literals
 * after it.
 */
export const dissectStep = defineStep({
  name: 'dissect',
  options: z.string().refine((text) => /%\{/.test(text) && !/\}%\{/.test(text), 'expected %{values} with text between'),
  compile(text) {
    const { pieces, tail } = piecesOf(text)
    return (input, values) => {
      const first = pieces[0]
      if (!first || !input.startsWith(first.before)) return false
      let at = first.before.length
      const found: [string, string][] = []
      for (const [index, { name, isPadded }] of pieces.entries()) {
        const literal = pieces[index + 1]?.before ?? tail
        const end = literal === '' ? input.length : input.indexOf(literal, at)
        if (end < 0) return false
        found.push([name, input.slice(at, end)])
        at = end + literal.length
        while (isPadded && literal !== '' && input.startsWith(literal, at)) at += literal.length
      }
      for (const [name, value] of found) if (name !== '' && value !== '' && value !== '-') values.set(name, value)
      return true
    }
  },
})
