import { AppError, searchErrors } from '@logstack/errors'

/** Throws `illegal_argument_exception` for lists and maps that hold themselves; `hint` says in it whose value that is. */
export function refuseSelfReferences(value: unknown, hint: string, above: readonly object[] = []): void {
  if (typeof value !== 'object' || value === null) return
  const plain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  if (!plain) return
  if (above.includes(value)) {
    const reason = `Iterable object is self-referencing itself (${hint})`
    throw new AppError(searchErrors.illegal_argument_exception, reason)
  }
  for (const inner of Object.values(value)) refuseSelfReferences(inner, hint, [...above, value])
}
