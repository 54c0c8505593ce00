import type { Field, GeoPoint, Predicate } from '@logstack/rules'

/** One function of a `function_score`: what it is worth where its condition holds. Without a value it is its weight. */
export interface ScoreFunction {
  readonly when: Predicate
  readonly weight: number
  readonly value?: FunctionValue
}

/** What a function computes of a document. Distances and scales of `decay` are in the field's own unit: milliseconds of dates, metres of points. */
type FunctionValue =
  | {
      readonly kind: 'field'
      readonly field: Field
      readonly factor: number
      readonly modifier: string
      readonly missing: number | undefined
    }
  | {
      readonly kind: 'decay'
      readonly field: Field
      /** `pivot` is half at the scale and never nought. */
      readonly shape: 'gauss' | 'exp' | 'linear' | 'pivot'
      readonly origin: number
      readonly point: GeoPoint | undefined
      readonly scale: number
      readonly offset: number
      readonly decay: number
      readonly mode: 'min' | 'max' | 'avg' | 'sum'
    }
  | { readonly kind: 'random'; readonly seed: number; readonly field: Field | undefined }
  /** What a script returns. */
  | { readonly kind: 'computed'; readonly field: Field }

/** How functions join into one factor, and that factor with the score of the query. */
export interface ScoreFunctions {
  readonly of: readonly ScoreFunction[]
  readonly scoreMode: 'multiply' | 'sum' | 'avg' | 'first' | 'max' | 'min'
  readonly boostMode: 'multiply' | 'replace' | 'sum' | 'avg' | 'max' | 'min'
  readonly boostMax: number
}
