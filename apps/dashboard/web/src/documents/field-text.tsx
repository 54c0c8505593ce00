import type { Hit } from '../api/search.ts'
import { formatValue } from '../format/format.ts'
import { Marked } from './marked.tsx'

interface FieldTextProps {
  readonly hit: Hit
  readonly name: string
  readonly value: unknown
  readonly type: string | undefined
  /** Characters shown at most. */
  readonly lengthMax?: number
}

/** A field's value in one line; what was looked for is marked where search says so. */
export function FieldText({ hit, name, value, type, lengthMax }: FieldTextProps) {
  const marked = hit.highlight?.[name]
  // Several values are highlighted one by one; shown alone, the others would be missing.
  const isMarked = marked && !Array.isArray(value)
  const text = isMarked ? '' : formatValue(value, type)
  // Set apart: a value with signs that turn the direction of writing must not turn the names and values after it.
  return <bdi>{isMarked ? <Marked text={marked.join(' ')} /> : text.slice(0, lengthMax)}</bdi>
}
