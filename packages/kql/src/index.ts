export type { KqlNode, KqlText, RangeOperator } from './ast.ts'
export { parseKql } from './parse.ts'
export { printKql } from './print.ts'
export { type KqlContext, kqlToQuery, type QueryClause } from './to-query.ts'
