/** How a clause of a boolean query counts. */
export type Occur = 'must' | 'should' | 'must_not'

/** A query of Lucene's language; a part without `field` goes to the default fields. */
export type QueryNode =
  | { readonly type: 'all' }
  | { readonly type: 'none' }
  | { readonly type: 'bool'; readonly clauses: readonly Clause[] }
  /**
   * `text` as the user meant it; `pattern` keeps escapes when it holds unescaped `*` or `?`. Words side by side are one text, whose `parts` they are: a keyword
   * looks for it as a whole.
   */
  | {
      readonly type: 'term'
      readonly field: string | undefined
      readonly text: string
      readonly pattern: string | undefined
      readonly parts?: readonly string[]
    }
  | {
      readonly type: 'phrase'
      readonly field: string | undefined
      readonly text: string
      readonly slop: number | undefined
    }
  /** `word~1`; without a number as the query's `fuzziness` says. */
  | {
      readonly type: 'fuzzy'
      readonly field: string | undefined
      readonly text: string
      readonly edits: string | undefined
    }
  | { readonly type: 'prefix'; readonly field: string | undefined; readonly text: string }
  | { readonly type: 'regexp'; readonly field: string | undefined; readonly source: string }
  | {
      readonly type: 'range'
      readonly field: string | undefined
      /** Undefined is open. */
      readonly low: string | undefined
      readonly high: string | undefined
      readonly includeLow: boolean
      readonly includeHigh: boolean
    }
  | { readonly type: 'exists'; readonly field: string | undefined }
  /** `word^2`, `(a b)^2`. */
  | { readonly type: 'boosted'; readonly node: QueryNode; readonly by: number }

export interface Clause {
  readonly occur: Occur
  readonly node: QueryNode
}
