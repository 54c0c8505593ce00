import { AppError, searchErrors } from '@logstack/errors'
import { isObject } from '../../json/json-object.ts'
import type { RestoreRequest } from '../../snapshots/restore-plan.ts'
import { flag, namesOf, refuseFeatures } from '../../snapshots/snapshot-members.ts'
import type { RouteRequest } from '../define-route.ts'
import { knownBody } from './known-body.ts'

const keys = [
  'indices',
  'ignore_unavailable',
  'include_global_state',
  'feature_states',
  'include_aliases',
  'partial',
  'rename_pattern',
  'rename_replacement',
  'index_settings',
  'ignore_index_settings',
]

function text(value: unknown, what: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  throw new AppError(searchErrors.illegal_argument_exception, `malformed ${what}`)
}

/** What a restore's path and body ask for. Throws `illegal_argument_exception` for keys and values that are not known. */
export function readRestore(request: RouteRequest): RestoreRequest {
  const body = knownBody(request, 'restore_snapshot', keys)
  refuseFeatures(body['feature_states'])
  const { index_settings: indexSettings = {} } = body
  if (!isObject(indexSettings))
    throw new AppError(searchErrors.illegal_argument_exception, 'malformed index_settings section')
  const renamePattern = text(body['rename_pattern'], 'rename_pattern')
  const renameReplacement = text(body['rename_replacement'], 'rename_replacement')
  return {
    repository: request.params['repository'] ?? '',
    snapshot: request.params['snapshot'] ?? '',
    indices: namesOf(body['indices'], 'indices'),
    ignoreUnavailable: flag(body['ignore_unavailable'], 'ignore_unavailable', false),
    includeGlobalState: flag(body['include_global_state'], 'include_global_state', false),
    includeAliases: flag(body['include_aliases'], 'include_aliases', true),
    partial: flag(body['partial'], 'partial', false),
    ...(renamePattern === undefined ? {} : { renamePattern }),
    ...(renameReplacement === undefined ? {} : { renameReplacement }),
    indexSettings,
    ignoreIndexSettings: namesOf(body['ignore_index_settings'], 'ignore_index_settings') ?? [],
  }
}
