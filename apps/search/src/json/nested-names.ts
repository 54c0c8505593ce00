import { isObject } from './json-object.ts'
import { ownMember, setOwn } from './own-member.ts'

/** The object that names with dots are paths into: `a.b` is `{ a: { b } }`. Where `a` is a value itself, `a.b` stays a name, as Elasticsearch shows settings. */
export function nestedNames(entries: Iterable<readonly [name: string, value: unknown]>): Record<string, unknown> {
  const nested: Record<string, unknown> = {}
  for (const [name, value] of entries) place(nested, name, value)
  return nested
}

function place(target: Record<string, unknown>, name: string, value: unknown): void {
  const at = name.indexOf('.')
  if (at < 0) {
    setOwn(target, name, value)
    return
  }
  const head = name.slice(0, at)
  if (ownMember(target, head) === undefined) setOwn(target, head, {})
  const inner = target[head]
  if (isObject(inner)) place(inner as Record<string, unknown>, name.slice(at + 1), value)
  else setOwn(target, name, value)
}
