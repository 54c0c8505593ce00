import type { Hit } from '../api/search.ts'
import { formatValue } from '../format/format.ts'
import { formatAs } from '../format/format-as.ts'
import { valueColors } from '../format/value-colors.ts'
import { linkOf } from '../format/value-link.ts'
import type { ValueFormat } from '../kibana/value-format.ts'
import { Marked } from './marked.tsx'
import { OwnLink } from './own-link.tsx'

interface FieldTextProps {
  readonly hit: Hit
  readonly name: string
  readonly value: unknown
  readonly type: string | undefined
  /** How the index pattern shows the field. */
  readonly format?: ValueFormat | undefined
  /** Characters shown at most. */
  readonly lengthMax?: number
}

/** A field's value in one line; what was looked for is marked where search says so and the index pattern shows the value as it is. */
export function FieldText({ hit, name, value, type, format, lengthMax }: FieldTextProps) {
  const marked = hit.highlight?.[name]
  // Several values are highlighted one by one; shown alone, the others would be missing.
  const isMarked = marked && !format && !Array.isArray(value)
  const [only] = Array.isArray(value) && value.length === 1 ? (value as unknown[]) : [value]
  const text = isMarked ? '' : shownValue(value, type, format).slice(0, lengthMax)
  const link = isPlain(only) ? linkOf(only, format) : undefined
  // Set apart: a value with signs that turn the direction of writing must not turn the names and values after it.
  return (
    <bdi style={valueColors(only, format)}>
      {isMarked ? <Marked text={marked.join(' ')} /> : link ? <Address {...link} /> : text}
    </bdi>
  )
}

function Address({ href, label }: { href: string; label: string }) {
  return (
    <OwnLink href={href} newTab={/^https?:/i.test(href)}>
      {label}
    </OwnLink>
  )
}

/** A value of a document in one line, as its index pattern shows it. */
export function shownValue(value: unknown, type: string | undefined, format: ValueFormat | undefined): string {
  if (format === undefined || value === null || value === undefined) return formatValue(value, type)
  if (Array.isArray(value)) return value.map((one: unknown) => shownValue(one, type, format)).join(', ')
  return isPlain(value) ? formatAs(value, format) : formatValue(value, type)
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
