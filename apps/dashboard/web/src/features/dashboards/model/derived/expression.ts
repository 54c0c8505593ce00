import { functions } from './functions.ts'

/** Arithmetic over named numbers: what Lens formulas and TSVB scripts are made of. Plain data. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }

/** The value of an expression; null where a number it needs is missing or the result is none (a division by zero). */
export function evaluate(expression: Expression, numberNamed: (name: string) => number | null): number | null {
  switch (expression.kind) {
    case 'number':
      return expression.value
    case 'missing':
      return null
    case 'variable':
      return numberNamed(expression.name)
    case 'call': {
      const args = expression.args.map((arg) => evaluate(arg, numberNamed))
      const result = functions.get(expression.name)?.(args) ?? null
      return result !== null && Number.isFinite(result) ? result : null
    }
  }
}

/** The syntax tree that Lens saves with a formula; undefined when a part of it is not known. */
export function expressionOfTree(tree: unknown): Expression | undefined {
  if (typeof tree === 'number') return { kind: 'number', value: tree }
  if (typeof tree === 'string') return { kind: 'variable', name: tree }
  if (typeof tree !== 'object' || tree === null) return undefined
  const { type, name, value, args } = tree as { type?: unknown; name?: unknown; value?: unknown; args?: unknown }
  if (type === 'variable' && typeof value === 'string') return { kind: 'variable', name: value }
  if (type !== 'function' || typeof name !== 'string' || !functions.has(name) || !Array.isArray(args)) return undefined
  const parsed = args.map(expressionOfTree)
  const known = parsed.filter((arg) => arg !== undefined)
  return known.length === parsed.length ? { kind: 'call', name, args: known } : undefined
}
