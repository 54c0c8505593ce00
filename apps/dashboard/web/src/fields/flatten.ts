/** A document's source as dotted fields. Objects inside arrays are merged by field, as an index sees them. */
export function flatten(source: Readonly<Record<string, unknown>>): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  const put = (name: string, value: unknown): void => {
    const before = fields.get(name)
    if (before === undefined) fields.set(name, value)
    else fields.set(name, [...(Array.isArray(before) ? before : [before]), ...(Array.isArray(value) ? value : [value])])
  }
  const walk = (value: unknown, name: string): void => {
    if (Array.isArray(value)) {
      const objects = value.filter(isObject)
      const plain = value.filter((item) => !isObject(item))
      if (plain.length > 0 || value.length === 0) put(name, plain)
      for (const item of objects) walk(item, name)
    } else if (isObject(value)) {
      for (const [key, inner] of Object.entries(value)) walk(inner, name === '' ? key : `${name}.${key}`)
    } else put(name, value)
  }
  walk(source, '')
  return fields
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
