/**
 * Sets an own member whatever its name: to assign to `__proto__` would change what the object inherits, and to assign to a member of what stands there would change all objects
 * of the process.
 */
export function setOwn<T>(target: Record<string, T>, name: string, value: NoInfer<T>): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}

/** The own member of a name that anyone may have chosen; undefined where there is none, though objects inherit one. */
export function ownMember<T>(target: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(target, name) ? target[name] : undefined
}
