import { AppError, searchErrors } from '@logstack/errors'
import { defineProcessor } from '../define-processor.ts'

/** `fail`: refuses the document with a message. */
export const failProcessor = defineProcessor('fail', (config) => {
  const message = config.template('message')
  return (document) => {
    throw new AppError(searchErrors.fail_processor_exception, message(document))
  }
})
