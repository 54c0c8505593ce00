/** A type and an id name one object. */
export interface ObjectKey {
  readonly type: string
  readonly id: string
}

/** The key as one text, for maps and sets. */
export function keyText({ type, id }: ObjectKey): string {
  return `${type}:${id}`
}
