import { type Json, jsonArray, number, text } from '../../../../kibana/saved-json.ts'

const tests: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  gt: (value, limit) => value > limit,
  gte: (value, limit) => value >= limit,
  lt: (value, limit) => value < limit,
  lte: (value, limit) => value <= limit,
}

/** What the rules of a visualization say of a value under some name (`color`, `background_color`, `gauge`): the last that fits. */
export function ruleColor(rules: unknown, value: unknown, name: string): string | undefined {
  if (typeof value !== 'number') return undefined
  const fits = (rule: Json): boolean => {
    const limit = number(rule['value'])
    const test = tests[text(rule['operator']) ?? text(rule['opperator']) ?? '']
    return limit !== undefined && test?.(value, limit) === true && text(rule[name]) !== undefined
  }
  return text(jsonArray(rules).findLast(fits)?.[name])
}
