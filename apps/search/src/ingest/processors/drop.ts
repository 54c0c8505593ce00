import type { ProcessorType } from '../define-processor.ts'

/** `drop`: takes the document out, so that it is not stored. */
export const dropProcessor: ProcessorType = { type: 'drop', build: () => () => 'drop' }
