/** Where a node stands in the query: from and to, in UTF-16 units. */
export interface Place {
  readonly at: number
  readonly end: number
}

/** A value that is written in the query. Integers beyond 2^53 are bigints; `decimal` is set where a number was written with a point or exponent. */
export interface Literal extends Place {
  readonly kind: 'literal'
  readonly value: string | number | bigint | boolean | null
  readonly decimal?: true
}

/** A field by its path; an optional one that no index has is null. */
export interface Field extends Place {
  readonly kind: 'field'
  readonly name: string
  readonly optional: boolean
}

/** A call of a function; `ignoresCase` is its `~`. Operators of arithmetic are calls of the functions they stand for. */
export interface Call extends Place {
  readonly kind: 'call'
  readonly name: string
  readonly ignoresCase: boolean
  readonly args: readonly Expression[]
}

/** The order and equality of two values. */
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>='

export interface Comparison extends Place {
  readonly kind: 'comparison'
  readonly operator: ComparisonOperator
  readonly left: Expression
  readonly right: Expression
}

/** Whether a value is among, or like one of, those that are listed: `in`, `:`, `like`, `regex`. `:` never minds case. */
export interface Lookup extends Place {
  readonly kind: 'lookup'
  readonly operator: 'in' | ':' | 'like' | 'regex'
  readonly ignoresCase: boolean
  readonly value: Expression
  readonly listed: readonly Literal[]
}

export interface Not extends Place {
  readonly kind: 'not'
  readonly value: Expression
}

export interface Junction extends Place {
  readonly kind: 'and' | 'or'
  readonly values: readonly Expression[]
}

/** A condition or a value of one. */
export type Expression = Literal | Field | Call | Comparison | Lookup | Not | Junction

/** `category where condition`; without a category any event. */
export interface EventFilter extends Place {
  readonly category: string | undefined
  readonly condition: Expression
}

/** One item of a sequence or sample in its brackets. */
export interface Stage extends Place {
  readonly filter: EventFilter
  /** Its join keys, those of the whole sequence first. */
  readonly by: readonly Field[]
  /** `![…]`: no such event. */
  readonly missing: boolean
}

/** `| head 5`. */
export interface Pipe {
  readonly name: 'head' | 'tail'
  readonly count: number
  readonly at: number
}

/** A query as it was written; items with `runs` stand as often as they say. */
export type EqlQuery =
  | { readonly kind: 'event'; readonly filter: EventFilter; readonly pipes: readonly Pipe[] }
  | {
      readonly kind: 'sequence'
      readonly maxSpanMs: number | undefined
      readonly stages: readonly Stage[]
      readonly until: Stage | undefined
      readonly pipes: readonly Pipe[]
    }
  | { readonly kind: 'sample'; readonly stages: readonly Stage[]; readonly pipes: readonly Pipe[] }
