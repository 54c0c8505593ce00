import { defineSpan } from '../intervals/define-span.ts'

/** `span_within`: spans that lie in another. */
export const spanWithin = defineSpan('span_within')
