/**
 * The same text in memory of its own. A piece of a longer text keeps all of that alive, of a line from a socket everything that was read with it: whoever
 * keeps a piece for longer than its event keeps a copy.
 */
export function ownText(text: string): string {
  // Not UTF-8, which has no halves of characters.
  return Buffer.from(text, 'utf16le').toString('utf16le')
}
