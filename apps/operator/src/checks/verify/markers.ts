import { markerProblem } from '../../steps/marker.ts'
import { type Check, defineCheck, failed, passed } from '../define-check.ts'

/** The three marker files of a finished install. */
export const markers: Check = defineCheck({
  name: 'markers',
  title: 'marker files',
  async diagnose({ paths }) {
    const wrong = Object.values(paths.markers).flatMap((path) => {
      const problem = markerProblem(path)
      return problem ? [`${path} ${problem}`] : []
    })
    if (wrong.length > 0) return failed(wrong.join('; '), 'finish the set-up with: ./logstack down && ./logstack up')
    return passed(`${Object.keys(paths.markers).length} present`)
  },
})
