/** What scripts know as `ctx` of a document whose source is its `_source`. */
const contexts = new WeakSet<object>()

/** Marks a `ctx`: the source of its document stays a map, whatever a script puts there. */
export function keepingSource<T extends object>(ctx: T): T {
  contexts.add(ctx)
  return ctx
}

/** Whether the `_source` of a map must stay a map. */
export function keepsSource(map: object): boolean {
  return contexts.has(map)
}
