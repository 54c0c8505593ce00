import { defineSpan } from '../intervals/define-span.ts'

/** `span_first`: spans near the beginning of a text. */
export const spanFirst = defineSpan('span_first')
