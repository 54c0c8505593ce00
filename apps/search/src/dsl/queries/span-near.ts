import { defineSpan } from '../intervals/define-span.ts'

/** `span_near`: spans at most `slop` words apart. */
export const spanNear = defineSpan('span_near')
