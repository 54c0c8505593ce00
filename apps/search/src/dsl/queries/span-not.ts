import { defineSpan } from '../intervals/define-span.ts'

/** `span_not`: spans that do not come near others. */
export const spanNot = defineSpan('span_not')
