export type {
  Call,
  Comparison,
  ComparisonOperator,
  EqlQuery,
  EventFilter,
  Expression,
  Field,
  Literal,
  Lookup,
  Pipe,
  Stage,
} from './ast.ts'
export { parseQuery } from './parse-query.ts'
