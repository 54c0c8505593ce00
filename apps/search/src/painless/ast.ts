/** Binary operators of arithmetic, comparison and bits; `&&`, `||` and `?:` only where both sides need not be evaluated. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: unknown; readonly at: number }
  | { readonly kind: 'list'; readonly items: readonly Expression[]; readonly at: number }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [Expression, Expression])[]; readonly at: number }
  | { readonly kind: 'variable'; readonly name: string; readonly at: number }
  | {
      readonly kind: 'member'
      readonly target: Expression
      readonly key: Expression
      /** `?.`: null when the target is. */
      readonly safe: boolean
      readonly at: number
    }
  | {
      readonly kind: 'call'
      readonly target: Expression
      readonly method: string
      readonly args: readonly Expression[]
      readonly safe: boolean
      readonly at: number
    }
  | {
      readonly kind: 'static'
      readonly type: string
      readonly method: string
      readonly args: readonly Expression[]
      readonly at: number
    }
  /** A call of a function that search lends or the script declares, by its name alone: `emit(1)`. */
  | { readonly kind: 'function'; readonly name: string; readonly args: readonly Expression[]; readonly at: number }
  | {
      readonly kind: 'lambda'
      readonly parameters: readonly { readonly type: string; readonly name: string }[]
      /** An expression, or a block of statements. */
      readonly body: Expression | readonly Statement[]
      readonly at: number
    }
  /** `String::valueOf`: a function that calls a method. `this` is the script. */
  | { readonly kind: 'reference'; readonly type: string; readonly method: string; readonly at: number }
  /** `new int[3]`: a list of that many first values of the type. */
  | { readonly kind: 'array'; readonly type: string; readonly size: Expression; readonly at: number }
  /** `new IllegalArgumentException('why')`: what `throw` throws. */
  | { readonly kind: 'exception'; readonly type: string; readonly message: Expression | undefined; readonly at: number }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression; readonly at: number }
  | { readonly kind: 'cast'; readonly type: string; readonly operand: Expression; readonly at: number }
  | {
      readonly kind: 'binary'
      readonly operator: string
      readonly left: Expression
      readonly right: Expression
      readonly at: number
    }
  | { readonly kind: 'instanceof'; readonly operand: Expression; readonly type: string; readonly at: number }
  | {
      readonly kind: 'conditional'
      readonly test: Expression
      readonly then: Expression
      readonly otherwise: Expression
      readonly at: number
    }
  | {
      readonly kind: 'assign'
      readonly target: Place
      /** The operator before `=`; empty for a plain assignment. */
      readonly operator: string
      readonly value: Expression
      /** `x++`: the expression's value is the old one. */
      readonly yieldsOld: boolean
      readonly at: number
    }

/** What can stand left of an assignment. */
export type Place = Extract<Expression, { kind: 'variable' | 'member' }>

export type Statement =
  | { readonly kind: 'expression'; readonly expression: Expression; readonly at: number }
  | {
      readonly kind: 'declare'
      readonly type: string
      readonly names: readonly { readonly name: string; readonly value: Expression | undefined }[]
      readonly at: number
    }
  | { readonly kind: 'block'; readonly body: readonly Statement[]; readonly at: number }
  | {
      readonly kind: 'if'
      readonly test: Expression
      readonly then: Statement
      readonly otherwise: Statement | undefined
      readonly at: number
    }
  | {
      readonly kind: 'for'
      readonly initial: Statement | undefined
      readonly test: Expression | undefined
      readonly update: Expression | undefined
      readonly body: Statement
      /** `do … while`: the body runs once before the test. */
      readonly bodyFirst: boolean
      readonly at: number
    }
  | {
      readonly kind: 'each'
      readonly type: string
      readonly name: string
      readonly over: Expression
      readonly body: Statement
      readonly at: number
    }
  | { readonly kind: 'return'; readonly value: Expression | undefined; readonly at: number }
  | { readonly kind: 'throw'; readonly value: Expression; readonly at: number }
  | {
      readonly kind: 'try'
      readonly body: Statement
      readonly catches: readonly { readonly type: string; readonly name: string; readonly body: Statement }[]
      readonly at: number
    }
  | { readonly kind: 'break' | 'continue'; readonly at: number }

/** A function that a script declares before its statements. */
export interface ScriptFunction {
  readonly returns: string
  readonly name: string
  readonly parameters: readonly { readonly type: string; readonly name: string }[]
  readonly body: readonly Statement[]
  readonly at: number
}

/** A script as it was read. */
export interface ParsedScript {
  readonly functions: readonly ScriptFunction[]
  readonly body: readonly Statement[]
}
