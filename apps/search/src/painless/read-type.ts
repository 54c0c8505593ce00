import type { TokenReader } from './token-reader.ts'
import { isDeclarable } from './types.ts'

/** A type, also of an array; undefined, and nothing taken, where none stands. */
export function acceptType(reader: TokenReader): string | undefined {
  const { kind, text } = reader.peek()
  if (kind !== 'name' || !isDeclarable(text)) return undefined
  reader.take()
  let type = text
  if (reader.sees('.') && isDeclarable(`${text}.${reader.peek(1).text}`)) {
    reader.take()
    type += `.${reader.take().text}`
  }
  while (reader.sees('[') && reader.sees(']', 1)) {
    reader.take()
    reader.take()
    type += '[]'
  }
  return type
}

/** A type that must stand here. */
export function expectType(reader: TokenReader): string {
  const type = acceptType(reader)
  if (type === undefined) throw reader.unexpected('TYPE')
  return type
}
