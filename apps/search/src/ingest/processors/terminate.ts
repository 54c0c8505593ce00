import type { ProcessorType } from '../define-processor.ts'

/** `terminate`: ends the pipeline that it stands in; one that called it goes on. */
export const terminateProcessor: ProcessorType = { type: 'terminate', build: () => () => 'terminate' }
