import { AppError, searchErrors } from '@logstack/errors'
import { clusterSetting } from '../../cluster-settings/read.ts'
import { matchesPattern } from '../../indices/index-names.ts'
import type { Services } from '../../services.ts'

/**
 * Why a write may not make the index it goes to: `action.auto_create_index` is false, or a list of patterns with and without `-` of which the first that
 * matches decides. Undefined when it may.
 */
export function autoCreateRefusal(name: string, { catalogue }: Pick<Services, 'catalogue'>): AppError | undefined {
  const setting = clusterSetting(catalogue, 'action.auto_create_index')
  if (setting === 'true') return undefined
  const refused = (why: string): AppError =>
    new AppError(searchErrors.index_not_found_exception, `no such index [${name}] and ${why}`, {
      detail: { 'resource.type': 'index_expression', 'resource.id': name, index_uuid: '_na_', index: name },
    })
  if (setting === 'false') return refused('[action.auto_create_index] is [false]')
  for (const rule of setting.split(',').map((text) => text.trim())) {
    const forbids = rule.startsWith('-')
    if (!matchesPattern(/^[+-]/.test(rule) ? rule.slice(1) : rule, name)) continue
    if (!forbids) return undefined
    return refused(`[action.auto_create_index] contains [${rule}] which forbids automatic creation of the index`)
  }
  return refused(`[action.auto_create_index] ([${setting}]) doesn't match`)
}
