import { execFileSync } from 'node:child_process'
import type { Injection } from './define-injection.ts'
import { groupsOfTurn, injectionOf, injections, otherGroups, usualGroups } from './index.ts'

/** The turn that LOGSTACK_FAULTS_TURN gives, or the number of commits: one commit always has the same, the next one another. Throws of what is no whole number. */
export function chosenTurn(wanted: string | undefined, commits: () => number = commitCount): number {
  if (wanted === undefined) return commits()
  if (!/^\d+$/.test(wanted)) throw new Error(`LOGSTACK_FAULTS_TURN is [${wanted}], which is no whole number`)
  return Number(wanted)
}

function commitCount(): number {
  return Number(execFileSync('git', ['rev-list', '--count', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' }))
}

/**
 * What LOGSTACK_FAULTS asks for, in groups that are injected together: `turn`, or not given: the large groups and a third of the others, by turns;
 * `usual`: every fault once; `each`: every way to every fault once so; `all`: each way alone; `none`; or names: `network,ports`, with `+` between
 * those of a group.
 */
export function chosenGroups(wanted: string | undefined, turn: number): readonly (readonly Injection[])[] {
  if (wanted === undefined || wanted === 'turn') return named(groupsOfTurn(turn))
  if (wanted === 'usual') return named(usualGroups)
  if (wanted === 'each') return named([...usualGroups, ...otherGroups])
  if (wanted === 'all') return injections.map((injection) => [injection])
  if (wanted === 'none') return []
  return wanted.split(',').flatMap((one) => {
    if (one.includes('+')) return named([one.split('+')])
    const ways = injections.filter(({ fault, name }) => one === fault || one === name)
    if (ways.length === 0) throw new Error(`LOGSTACK_FAULTS names [${one}], which is neither a fault nor a way to one`)
    return ways.map((injection) => [injection])
  })
}

function named(groups: readonly (readonly string[])[]): readonly (readonly Injection[])[] {
  return groups.map((group) => group.map(injectionOf))
}
