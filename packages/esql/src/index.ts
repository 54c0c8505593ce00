export type {
  Arithmetic,
  Command,
  CommandOf,
  Comparison,
  EsqlQuery,
  Expression,
  Literal,
  NamedAggregate,
  NamedExpression,
  NamePattern,
  Place,
  Span,
} from './ast.ts'
export { commandNames, parseQuery } from './parse-query.ts'
export { isSpan, readSpan } from './spans.ts'
export type { Parameter } from './token-reader.ts'
