/** The five parts, in the order in which they start: search; then endpoint-manager, dashboard, alerter; then agent-server. */
export const parts = ['search', 'endpoint-manager', 'dashboard', 'alerter', 'agent-server'] as const

export type PartName = (typeof parts)[number]

/** Groups that start together, each after the one before is ready. Stopping goes the other way. */
export const startOrder: readonly (readonly PartName[])[] = [
  ['search'],
  ['endpoint-manager', 'dashboard', 'alerter'],
  ['agent-server'],
]

/** The container's name, which is also the unit's (`logstack-search.service`) and the process's in the embedded runtime. */
export function containerName(part: PartName): `logstack-${PartName}` {
  return `logstack-${part}`
}
