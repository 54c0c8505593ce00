/** Where something stands in the query: offsets of its first character and of the one after its last. */
export interface Place {
  readonly from: number
  readonly to: number
}

/** A name of a column; `quoted` parts are taken as they are, so that a `*` in them is no pattern. */
export interface NamePattern extends Place {
  readonly name: string
  /** Whether a `*` outside backquotes makes it a pattern. */
  readonly isPattern: boolean
}

/** A value that stands in the query itself. Whole numbers are bigints, so that none loses a digit; a span of time is a number of a unit. */
export type Literal = null | boolean | string | number | bigint | Span | readonly Literal[]

/** `3 days`: of units of the calendar (`isPeriod`) or of fixed length. */
export interface Span {
  readonly amount: number
  readonly unit: SpanUnit
}

/** What spans are counted in. */
export type SpanUnit = 'millisecond' | 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year'

/** How two values are compared. */
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='

/** What two numbers, or a moment and a span, come to. */
export type Arithmetic = '+' | '-' | '*' | '/' | '%'

/** An expression as it was written. */
export type Expression = Place &
  (
    | { readonly kind: 'literal'; readonly value: Literal }
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'star' }
    | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
    | { readonly kind: 'cast'; readonly of: Expression; readonly type: string }
    | { readonly kind: 'not' | 'negative'; readonly of: Expression }
    | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
    | { readonly kind: 'comparison'; readonly op: Comparison; readonly left: Expression; readonly right: Expression }
    | { readonly kind: 'arithmetic'; readonly op: Arithmetic; readonly left: Expression; readonly right: Expression }
    | { readonly kind: 'in'; readonly of: Expression; readonly among: readonly Expression[] }
    | { readonly kind: 'isNull'; readonly of: Expression; readonly negated: boolean }
    | { readonly kind: 'like' | 'rlike'; readonly of: Expression; readonly patterns: readonly Expression[] }
    | { readonly kind: 'match'; readonly of: Expression; readonly query: Expression }
    | { readonly kind: 'options'; readonly entries: readonly (readonly [name: string, value: Literal])[] }
  )

/** `name = expression`, or an expression that is named by its own text. */
export interface NamedExpression extends Place {
  readonly name: string
  readonly of: Expression
}

/** An aggregate of STATS: over the rows that `where` keeps. */
export interface NamedAggregate extends NamedExpression {
  readonly where: Expression | undefined
}

/** One criterion of SORT. */
export interface SortOrder {
  readonly of: Expression
  readonly descending: boolean
  readonly nullsFirst: boolean
}

/** A command of a query, in the order they stand in it. */
export type Command = Place &
  (
    | {
        readonly command: 'from'
        readonly indices: readonly string[]
        readonly metadata: readonly NamePattern[]
        /** Where brackets around METADATA begin, which are of old. */
        readonly bracket?: number
      }
    | { readonly command: 'row'; readonly fields: readonly NamedExpression[] }
    | { readonly command: 'show' }
    | { readonly command: 'where'; readonly condition: Expression }
    | { readonly command: 'eval'; readonly fields: readonly NamedExpression[] }
    | {
        readonly command: 'stats'
        readonly aggregates: readonly NamedAggregate[]
        readonly by: readonly NamedExpression[]
      }
    | { readonly command: 'keep'; readonly names: readonly NamePattern[] }
    | { readonly command: 'drop'; readonly names: readonly NamePattern[] }
    | {
        readonly command: 'rename'
        readonly renames: readonly { readonly from: NamePattern; readonly to: NamePattern }[]
      }
    | { readonly command: 'sort'; readonly orders: readonly SortOrder[] }
    | { readonly command: 'limit'; readonly count: number }
    | { readonly command: 'mv_expand'; readonly name: NamePattern }
    | {
        readonly command: 'dissect'
        readonly of: Expression
        readonly pattern: string
        readonly separator: string | undefined
      }
    | { readonly command: 'grok'; readonly of: Expression; readonly patterns: readonly string[] }
    | {
        readonly command: 'enrich'
        /** Without the mode before it (`_any:`), which says where remote clusters look. */
        readonly policy: string
        readonly place: Place
        readonly on: NamePattern | undefined
        /** Undefined without WITH: all fields of the policy. */
        readonly fields: readonly { readonly name: string; readonly of: string }[] | undefined
      }
    | { readonly command: 'lookup'; readonly index: string; readonly place: Place; readonly on: readonly NamePattern[] }
    | { readonly command: 'sample'; readonly probability: number }
  )

/** A command of one name. */
export type CommandOf<Name extends Command['command']> = Extract<Command, { readonly command: Name }>

/** A whole query: a source and what is done with its rows. */
export interface EsqlQuery {
  readonly text: string
  readonly commands: readonly Command[]
}
