/** What an agent asks for when it enrols. */
export interface EnrolmentRequest {
  readonly password: string | undefined
  readonly name: string
  /** SHA-1, in hexadecimal digits, of the id, the name and the key that it has already. */
  readonly keyHash: string | undefined
}

/** Reads `OSSEC PASS: SECRET OSSEC A:'NAME' V:'v4.14.7' G:'GROUP' IP:'src' K:'HASH'`, of which the name alone must be there; undefined for anything else. */
export function readEnrolmentRequest(line: string): EnrolmentRequest | undefined {
  const [head, password, name] = /^(?:OSSEC PASS: (\S{1,4096}) )?OSSEC A:'([^']{0,512})'/.exec(line) ?? []
  if (head === undefined || name === undefined) return undefined
  return { password, name, keyHash: / K:'([0-9a-f]{40})'/.exec(line.slice(head.length))?.[1] }
}
