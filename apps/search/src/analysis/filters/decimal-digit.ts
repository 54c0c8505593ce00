import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { mapWords } from './map-words.ts'

/** The value of a decimal digit of any script: digits of a script follow each other, from zero. */
function digitValue(digit: string): string {
  let value = 0
  const code = digit.codePointAt(0) ?? 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}

/** `decimal_digit`: digits of all scripts as 0 to 9. */
export const decimalDigitFilter = defineComponent<FilterTokens>({
  name: 'decimal_digit',
  create: () => mapWords((word) => word.replace(/\p{Nd}/gu, digitValue)),
})
