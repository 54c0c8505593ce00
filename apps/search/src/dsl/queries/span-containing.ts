import { defineSpan } from '../intervals/define-span.ts'

/** `span_containing`: spans that hold another. */
export const spanContaining = defineSpan('span_containing')
