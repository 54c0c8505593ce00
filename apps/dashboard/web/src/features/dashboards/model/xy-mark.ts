/** A line across an XY chart at a value, a moment, or a span of time. */
export interface XyMark {
  readonly at: number
  /** The other end of a span. */
  readonly until?: number | undefined
  readonly along: 'value' | 'right' | 'time'
  readonly label: string
  readonly color: string | undefined
  readonly style: 'solid' | 'dashed' | 'dotted'
  readonly width: number
  /** Which side of the line is filled. */
  readonly fill?: 'above' | 'below' | undefined
  /** Of an event: what it is called, what there is to say of it, and its icon by Kibana's name. */
  readonly name?: string
  readonly detail?: string
  readonly icon?: string
}
