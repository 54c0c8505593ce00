import type { Injection } from './define-injection.ts'
import { injectionOf, injections } from './index.ts'

/**
 * The injections that doctor mends, in the order in which several are made on one host: first what asks search, the dashboard or podman for
 * something, then what needs a part to start again and again, then what takes away what those need.
 */
const order: readonly string[] = [
  'image-outdated',
  'image-base',
  'alert-rules',
  'agent-server-url',
  'default-pattern',
  'dashboards',
  'replicas',
  'index-templates',
  'guessed-indices',
  'state-indices',
  'address-fields',
  'disk-block',
  'service-passwords',
  'pending-password',
  'admin-password',
  'password-cut-off',
  'certificate-expired',
  'certificate-names',
  'certificate-key',
  'certificate-foreign',
  'restart-loop',
  'configuration',
  'ports',
  'parts-down',
  'parts-down-paused',
  'volumes',
  'companion-units',
  'dead-containers',
  'markers',
  'markers-false',
  'login-shell',
  'environment-file',
  'environment-file-address',
  'memory',
  'certificate-authority',
  'owners',
  'owners-within',
  'vault-mode',
  'vault-file',
  'vault-key',
  'podman-secrets',
  'image',
  'units',
  'units-unparsable',
  'name-server',
  'name-server-stopped',
  'name-server-resolver',
  'published-ports',
  'firewall',
  'network',
  'container-runtime-lock',
]

/** Injections that undo each other, or leave doctor nothing to mend with, besides two ways to one fault. */
const apart: readonly (readonly [string, readonly string[]])[] = [
  // Each changes the administrator's password, or sets one aside for it.
  ['pending-password', ['admin-password', 'password-cut-off']],
  // The alerter is killed while it runs, or cannot run, or must not.
  ['restart-loop', ['configuration', 'parts-down', 'parts-down-paused', 'units', 'units-unparsable', 'network']],
  ['parts-down-paused', ['configuration', 'units', 'units-unparsable', 'network']],
  // An alerter that starts anew mends it by itself.
  [
    'state-indices',
    [
      'restart-loop',
      'configuration',
      'parts-down',
      'service-passwords',
      'units',
      'network',
      'image-outdated',
      'image-base',
    ],
  ],
  // A container that starts brings the name server up, and there is none without a network.
  ['name-server', ['restart-loop', 'configuration', 'ports', 'network']],
  ['name-server-stopped', ['restart-loop', 'configuration', 'ports', 'network']],
  ['name-server-resolver', ['restart-loop', 'configuration', 'ports', 'network']],
  // Rules that are loaded anew are made again with the network.
  ['published-ports', ['network', 'firewall', 'ports']],
  // A part that starts anew runs of the new image, and without the network all do.
  ['image-base', ['network']],
  // Parts that stop with search start anew with it.
  ['owners-within', ['image-base', 'certificate-foreign']],
  // Each start of a part renews its certificate.
  ['network', ['certificate-expired', 'certificate-names', 'certificate-key']],
  ['dead-containers', ['certificate-expired']],
  ['ports', ['certificate-key']],
  // Only the running agent-server still has the key of agents' certificates then.
  ['vault-key', ['network', 'ports']],
]

/** Injections that nothing goes with: search does not start without its disk, and most of the others are seen or mended through it. */
export const unmixed: readonly string[] = ['mounts']

/** How many faults are injected together. */
const sizeMax = 12

/** Whether two injections can be in effect at the same time, and doctor mend both. */
export function canCoexist(one: Injection, other: Injection): boolean {
  if (one.isLeft || other.isLeft || one.fault === other.fault) return false
  if (unmixed.includes(one.name) || unmixed.includes(other.name)) return false
  const isApart = (from: string, to: string): boolean =>
    apart.some(([name, others]) => name === from && others.includes(to))
  return !isApart(one.name, other.name) && !isApart(other.name, one.name)
}

/** A pair of names of injections, the same for both orders. */
function pairOf(one: string, other: string): string {
  return [one, other].sort().join(' + ')
}

/** All pairs of injections that can coexist. */
export function coexistingPairs(): string[] {
  return injections.flatMap((one, at) =>
    injections
      .slice(at + 1)
      .filter((other) => canCoexist(one, other))
      .map((other) => pairOf(one.name, other.name)),
  )
}

/** The pairs that a mix holds. */
export function pairsIn(names: readonly string[]): string[] {
  return names.flatMap((one, at) => names.slice(at + 1).map((other) => pairOf(one, other)))
}

/**
 * Few mixes of up to twelve injections that hold every pair which can coexist and is not in `known`, each in the order in which they are made.
 * Each begins with a pair that is missing, and takes what brings most others; nothing is random.
 */
export function mixesOf(known: Iterable<string>): readonly (readonly string[])[] {
  const done = new Set(known)
  const missing = new Set(coexistingPairs().filter((pair) => !done.has(pair)))
  const mixes: string[][] = []
  for (const pair of missing) {
    if (!missing.has(pair)) continue
    const mix = filled(pair.split(' + '), missing)
    for (const held of pairsIn(mix)) missing.delete(held)
    mixes.push(mix.sort((one, other) => placeOf(one) - placeOf(other)))
  }
  return mixes
}

/**
 * What LOGSTACK_FAULT_MIXES asks for: `all` mixes, or `missing`: of the pairs that `measured` does not hold; of these the first so many (`3`,
 * `missing:3`), or from one to another (`4-9`). None unless given; throws of what cannot be read.
 */
export function chosenMixes(
  wanted: string | undefined,
  measured: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  if (wanted === undefined) return []
  const match = /^(?:(all|missing)(?::|$))?(?:(?:(\d+)-)?(\d+))?$/.exec(wanted)
  if (!match || wanted === '') throw new Error(`LOGSTACK_FAULT_MIXES is [${wanted}], neither all, missing nor numbers`)
  const [, which, from = '1', to] = match
  const mixes = mixesOf(which === 'missing' ? measured.flatMap(pairsIn) : [])
  return mixes.slice(Number(from) - 1, to === undefined ? undefined : Number(to))
}

function placeOf(name: string): number {
  const place = order.indexOf(name)
  if (place < 0) throw new Error(`nothing says when the injection [${name}] is made among others`)
  return place
}

function filled(begun: readonly string[], missing: ReadonlySet<string>): string[] {
  const mix = [...begun]
  while (mix.length < sizeMax) {
    const fitting = order.filter(
      (name) => !mix.includes(name) && mix.every((one) => canCoexist(injectionOf(one), injectionOf(name))),
    )
    const gainOf = (name: string): number => mix.filter((one) => missing.has(pairOf(one, name))).length
    const [best] = fitting.toSorted((one, other) => gainOf(other) - gainOf(one))
    if (best === undefined || gainOf(best) === 0) break
    mix.push(best)
  }
  return mix
}
