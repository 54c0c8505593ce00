/** A value as JSON for errors and keys; numbers that only a bigint holds are written too. */
export function exactJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member))
}
