import { textProcessor } from '../text-processor.ts'

/** `lowercase`. */
export const lowercaseProcessor = textProcessor('lowercase', () => (text) => text.toLowerCase())
