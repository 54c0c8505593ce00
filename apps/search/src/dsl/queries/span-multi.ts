import { defineSpan } from '../intervals/define-span.ts'

/** `span_multi`: any word that a pattern matches, as a span. */
export const spanMulti = defineSpan('span_multi')
