/** A seed document: dotted field names, values or lists of values. */
export type Document = Readonly<Record<string, unknown>>

/** The values of a field; analysed sub-fields have those of the field they belong to. */
export function valuesOf(document: Document, field: string): unknown[] {
  const value = document[field] ?? (isAnalysed(field) ? document[field.slice(0, -'.text'.length)] : undefined)
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** Whether a field, or any field below an object of this name, has a value. */
export function exists(document: Document, field: string): boolean {
  return valuesOf(document, field).length > 0 || Object.keys(document).some((name) => name.startsWith(`${field}.`))
}

/** Whether a field is analysed text in the seed's mapping. */
export function isAnalysed(field: string): boolean {
  return field.endsWith('.text')
}

/** The words of analysed text. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+(?:[.'][\p{L}\p{N}_]+)*/gu) ?? []
}

/** Whether an address lies in a network written as `10.0.0.0/8` or `fe80::/10`, or is the address that is written. */
export function isWithin(address: string, network: string): boolean {
  const [base = '', prefix] = network.split('/')
  if (prefix === undefined) return address === base
  const [left, right] = [bitsOf(address), bitsOf(base)]
  return left.length === right.length && left.slice(0, Number(prefix)) === right.slice(0, Number(prefix))
}

function bitsOf(address: string): string {
  const binary = (text: string, radix: number, width: number): string =>
    Number.parseInt(text || '0', radix)
      .toString(2)
      .padStart(width, '0')
  if (!address.includes(':'))
    return address
      .split('.')
      .map((part) => binary(part, 10, 8))
      .join('')
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const middle = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...middle, ...after].map((part) => binary(part, 16, 16)).join('')
}
