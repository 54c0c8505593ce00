/** The `script` of an aggregation: a field of the request alone, under a path of its own. */
export interface AggregationScript {
  readonly path: string
  readonly script: unknown
  /** The field for each of whose values it runs; without one it runs for each document. */
  readonly over: string | undefined
  readonly type: 'boolean' | 'date' | 'double' | 'keyword' | 'long'
  /** Whether the values are of the kind of the field `over`. */
  readonly typeOfField: boolean
}
