import type { Scope } from '../model/scope.ts'
import { clusterNeedsOf, needOf } from '../security/actions.ts'
import { forbidden } from '../security/denied.ts'
import type { Route } from './define-route.ts'

/** Throws 403 unless the caller holds what a route asks for before it looks at its request. */
export function requirePrivileges(
  { name, privilege, somewhere }: Pick<Route, 'name' | 'privilege' | 'somewhere'>,
  params: Readonly<Record<string, string>>,
  scope: Scope,
): void {
  if (typeof privilege === 'object' && 'cluster' in privilege)
    for (const { action, wanted } of clusterNeedsOf(name, privilege.cluster))
      if (!scope.hasCluster(wanted)) throw forbidden(scope, action, 'cluster', wanted)
  if (!somewhere) return
  const { action, wanted } = needOf(name, 'index', somewhere.privilege)
  const { index } = params
  const named = somewhere.of === 'index' && index !== undefined ? [index] : []
  if (scope.hasAnyIndex?.(wanted) === false) throw forbidden(scope, action, 'index', wanted, named)
}
