/** `1 rule`, `2 rules`: for words that take an s. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}
