import { ScriptFault } from './script-error.ts'
import { numberOf } from './typed-number.ts'

/**
 * The value of a number in a script: an `int`, with `L` a `long`, with `f` a `float`, with `d` or a fraction a `double`; `0x…` and octal `0…` are whole.
 * `sign` is that before it, which the smallest whole numbers need. Throws a `ScriptFault` for a number its type does not hold.
 */
export function numberLiteral(text: string, sign: '' | '-', at: number): unknown {
  const hex = /^0[xX]([0-9a-fA-F]+)([lL]?)$/u.exec(text)
  if (hex) return bitsOf(`0x${hex[1]}`, hex[2] !== '', sign, text, at)
  const octal = /^0([0-7]+)([lL]?)$/u.exec(text)
  if (octal) return bitsOf(`0o${octal[1]}`, octal[2] !== '', sign, text, at)
  if (/[fF]$/u.test(text)) return numberOf('float', Number(sign + text.slice(0, -1)))
  if (/[.eEdD]/u.test(text)) return numberOf('double', Number(sign + text.replace(/[dD]$/u, '')))
  const isLong = /[lL]$/u.test(text)
  const value = BigInt(sign + (isLong ? text.slice(0, -1) : text))
  if (BigInt.asIntN(isLong ? 64 : 32, value) === value) return numberOf(isLong ? 'long' : 'int', value)
  if (isLong) throw new ScriptFault(at, `Invalid long constant [${sign}${text.slice(0, -1)}].`)
  const isALong = BigInt.asIntN(64, value) === value
  const hint = isALong ? ` If you want a long constant then change it to [${sign}${text}L].` : ''
  throw new ScriptFault(at, `Invalid int constant [${sign}${text}].${hint}`)
}

/** Numbers that are written by their bits may use the highest for the sign. */
function bitsOf(digits: string, isLong: boolean, sign: string, text: string, at: number): unknown {
  const value = BigInt(digits)
  const bits = isLong ? 64 : 32
  if (BigInt.asUintN(bits, value) !== value)
    throw new ScriptFault(at, `Invalid ${isLong ? 'long' : 'int'} constant [${sign}${text}].`)
  const signed = BigInt.asIntN(bits, value)
  return numberOf(isLong ? 'long' : 'int', sign === '-' ? -signed : signed)
}
