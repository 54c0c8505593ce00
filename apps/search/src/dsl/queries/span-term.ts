import { defineSpan } from '../intervals/define-span.ts'

/** `span_term`: a word of a text, for the other span queries. */
export const spanTerm = defineSpan('span_term')
