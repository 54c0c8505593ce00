import { textProcessor } from '../text-processor.ts'

/** `uppercase`. */
export const uppercaseProcessor = textProcessor('uppercase', () => (text) => text.toUpperCase())
