import { AppError, searchErrors } from '@logstack/errors'
import { resolveOptions } from '../indices/resolve-options.ts'
import { isObject } from '../json/json-object.ts'
import type { SnapshotRequest, SnapshotServices } from './create-snapshot.ts'
import { flag, namesOf, refuseFeatures } from './snapshot-members.ts'

type Body = Readonly<Record<string, unknown>>

function chosenIndices({ catalogue }: SnapshotServices, body: Body): Pick<SnapshotRequest, 'indices' | 'dataStreams'> {
  const expression = namesOf(body['indices'], 'indices') ?? []
  const expand = namesOf(body['expand_wildcards'], 'expand_wildcards') ?? ['all']
  const ignoreUnavailable = flag(body['ignore_unavailable'], 'ignore_unavailable', false)
  const options = resolveOptions({ expand_wildcards: expand }, { ignoreUnavailable })
  const found = catalogue.resolve(expression.length === 0 ? '_all' : expression.join(','), options)
  const indices = found.map(({ index }) => index)
  const names = new Set(indices.map(({ name }) => name))
  const dataStreams = [...catalogue.dataStreams()].filter((stream) => stream.indices.every((name) => names.has(name)))
  return { indices, dataStreams }
}

/** What a body asks to be put into a snapshot. Throws `illegal_argument_exception` and `index_not_found_exception`. */
export function snapshotRequest(
  services: SnapshotServices,
  repository: string,
  snapshot: string,
  body: Body,
): SnapshotRequest {
  refuseFeatures(body['feature_states'])
  const { metadata } = body
  if (metadata !== undefined && metadata !== null && !isObject(metadata))
    throw new AppError(searchErrors.illegal_argument_exception, 'malformed metadata, should be an object')
  return {
    repository,
    snapshot,
    ...chosenIndices(services, body),
    includeGlobalState: flag(body['include_global_state'], 'include_global_state', true),
    partial: flag(body['partial'], 'partial', false),
    ...(isObject(metadata) ? { metadata } : {}),
  }
}
