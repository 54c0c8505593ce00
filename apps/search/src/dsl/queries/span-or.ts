import { defineSpan } from '../intervals/define-span.ts'

/** `span_or`: any of several spans. */
export const spanOr = defineSpan('span_or')
