import { textProcessor } from '../text-processor.ts'

/** `trim`: takes white space from both ends. */
export const trimProcessor = textProcessor('trim', () => (text) => text.trim())
