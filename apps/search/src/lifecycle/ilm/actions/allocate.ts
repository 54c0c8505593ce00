import { AppError, searchErrors } from '@logstack/errors'
import { isObject } from '../../../json/json-object.ts'
import { checkOptions } from './check-options.ts'
import { defineAction } from './define-action.ts'

const kinds = ['include', 'exclude', 'require'] as const

/** `allocate`: sets the number of replicas and the rules of allocation; with one node these are kept and shown. */
export const allocate = defineAction({
  name: 'allocate',
  step: 'allocate',
  check(options) {
    checkOptions('allocate', options, ['number_of_replicas', 'total_shards_per_node', ...kinds])
    const { number_of_replicas: replicas } = options
    const wrong =
      Object.keys(options).length === 0
        ? 'At least one of include, exclude, require must contain attributes for action allocate'
        : replicas !== undefined && !(Number.isInteger(replicas) && Number(replicas) >= 0)
          ? '[number_of_replicas] must be >= 0'
          : kinds.some((kind) => options[kind] !== undefined && !isObject(options[kind]))
            ? '[include], [exclude] and [require] must be objects'
            : undefined
    if (wrong !== undefined) throw new AppError(searchErrors.illegal_argument_exception, wrong)
  },
  async run(index, options, { catalogue }) {
    const settings: Record<string, unknown> = {}
    if (options['number_of_replicas'] !== undefined) settings['number_of_replicas'] = options['number_of_replicas']
    if (options['total_shards_per_node'] !== undefined)
      settings['routing.allocation.total_shards_per_node'] = options['total_shards_per_node']
    for (const kind of kinds)
      for (const [name, value] of Object.entries(Object(options[kind] ?? {})))
        settings[`routing.allocation.${kind}.${name}`] = value
    await catalogue.putSettings(index, settings)
    return 'done'
  },
})
