import { AppError, searchErrors } from '@logstack/errors'
import type { ProcessorType } from '../define-processor.ts'

/** `pipeline`: runs another pipeline. */
export const pipelineProcessor: ProcessorType = {
  type: 'pipeline',
  build(config, building) {
    const name = config.template('name')
    const ignoreMissing = config.boolean('ignore_missing_pipeline')
    return (document, run) => {
      const id = name(document)
      const pipeline = run.find(id)
      if (pipeline) return building.runPipeline(pipeline, document, run)
      if (ignoreMissing) return 'keep'
      throw new AppError(
        searchErrors.illegal_state_exception,
        `Pipeline processor configured for non-existent pipeline [${id}]`,
      )
    }
  },
}
