import { meantHint } from '@logstack/spelling'

/** What is said of a name in a rule that nobody knows, such as that of a channel: the one that was probably meant, and all there are. */
export function unknownName(kind: string, name: string, known: Iterable<string>): string {
  const names = [...known]
  return `unknown ${kind} [${name}]${meantHint(name, names) || ';'} there are ${names.join(', ')}`
}
