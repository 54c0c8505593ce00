import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'

/** `script`: changes the document by a painless script, whose `ctx` holds fields and metadata. */
export const scriptProcessor = defineProcessor('script', (config, building) => {
  const parts = ['lang', 'source', 'inline', 'id', 'params', 'options'] as const
  const given = parts.map((part) => [part, config.any(part)] as const).filter(([, value]) => value !== undefined)
  const script = building.compileScript(Object.fromEntries(given))
  return (document) => {
    const before = { ...document.ctx }
    try {
      document.withTypes()
      script(document.ctx)
      cutSelfReferences(document.ctx, new Set())
    } catch (thrown) {
      // What a failed script has set is not there for the next processor.
      for (const key of Object.keys(document.ctx))
        if (!Object.hasOwn(before, key)) Reflect.deleteProperty(document.ctx, key)
      Object.assign(document.ctx, before)
      throw thrown
    }
  }
})

/** A value that holds itself could not be stored: it is cut off, and the script refused. */
function cutSelfReferences(value: object, above: Set<unknown>): void {
  above.add(value)
  for (const [key, item] of Object.entries(value)) {
    if (typeof item !== 'object' || item === null) continue
    if (above.has(item)) {
      Reflect.set(value, key, null)
      throw unfit('Iterable object is self-referencing itself (ingest script)')
    }
    cutSelfReferences(item, above)
  }
  above.delete(value)
}
