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
  if (marked && !Array.isArray(value)) return <Marked text={marked.join(' ')} />
  const text = formatValue(value, type)
  return lengthMax === undefined ? text : text.slice(0, lengthMax)
}
