/** A JSON value as Elasticsearch's messages name the token that it begins with. */
export function jsonToken(value: unknown): string {
  if (value === null || value === undefined) return 'VALUE_NULL'
  if (Array.isArray(value)) return 'START_ARRAY'
  if (typeof value === 'object') return 'START_OBJECT'
  if (typeof value === 'boolean') return 'VALUE_BOOLEAN'
  return typeof value === 'string' ? 'VALUE_STRING' : 'VALUE_NUMBER'
}
