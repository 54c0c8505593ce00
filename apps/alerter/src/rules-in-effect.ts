import type { AlertRule } from '@logstack/contracts'
import type { AlertingRule } from './rule-files/rule.ts'
import type { BrokenFile, RulesFolder } from './rule-files/rules-folder.ts'
import { workOfSigma } from './runs/sigma-work.ts'
import { type Work, workOfRule } from './runs/work.ts'
import { type SigmaSet, sigmaSet } from './sigma/sigma-set.ts'

/** The rules of a folder as they are run: what runs, what each looks like in the list of rules, and what cannot run. */
export interface RulesInEffect {
  readonly works: readonly Work[]
  readonly listed: ReadonlyMap<string, Omit<AlertRule, 'switched_off' | 'switched_by'>>
  readonly broken: readonly BrokenFile[]
  readonly sigma: SigmaSet
}

/** Decides what runs of what was read, again and again; thousands of rules are put together anew only when something changed. */
export class RulesDecider {
  #before:
    | { readonly folder: RulesFolder; readonly off: ReadonlySet<string>; readonly decided: RulesInEffect }
    | undefined

  /** The rules in effect; `off` are those that people switched off. Answers the very same object for the same two. */
  decide(folder: RulesFolder, off: ReadonlySet<string>): RulesInEffect {
    if (this.#before?.folder !== folder || this.#before.off !== off)
      this.#before = { folder, off, decided: rulesInEffect(folder, (id) => off.has(id)) }
    return this.#before.decided
  }
}

function rulesInEffect(folder: RulesFolder, isOff: (id: string) => boolean): RulesInEffect {
  const documents = folder.sigma.flatMap((file) => file.documents)
  const fileOf = new Map(
    folder.sigma.flatMap(({ file, documents: all }) => all.map((document) => [document, file] as const)),
  )
  const sigma = sigmaSet(documents, folder.mappings, folder.channels.sigma, isOff)
  const listed = new Map<string, Omit<AlertRule, 'switched_off' | 'switched_by'>>()
  for (const rule of folder.rules) listed.set(rule.id, listing(rule, 'elastalert', isOff(rule.id) ? 'off' : 'running'))
  for (const { id, file, name, type } of folder.disabled)
    listed.set(id, { name, kind: 'elastalert', type, file, state: 'disabled', error: null })
  for (const { id, file, line, column, message } of folder.broken)
    listed.set(id, {
      name: id,
      kind: 'elastalert',
      type: 'unknown',
      file,
      state: 'broken',
      error: { message, line, column },
    })
  const reasons = new Map(sigma.leftOut.map(({ document, reason }) => [document, reason]))
  for (const document of documents) {
    if (document.kind === 'filter') continue
    const reason = reasons.get(document)
    const rule = sigma.alerting.get(document.id)
    if (reason === undefined && rule) {
      listed.set(document.id, listing(rule, 'sigma', 'running'))
      continue
    }
    const state = reason === undefined ? stateOf(document.id, sigma, isOff) : 'broken'
    const type = document.kind === 'rule' ? 'sigma' : 'correlation'
    const file = fileOf.get(document) ?? ''
    const id = listed.has(document.id) ? `${document.id} ${file}` : document.id
    listed.set(id, {
      name: document.title,
      kind: 'sigma',
      type,
      file,
      state,
      error: reason === undefined ? null : { message: reason },
      tags: [...document.tags],
    })
  }
  const stamp = folder.sigma.map(({ documents: all }) => all)
  const sigmaWork = workOfSigma(
    sigma,
    JSON.stringify([stamp, folder.mappings, folder.channels.defaults, folder.channels.sigma.realertMs], bigints),
  )
  const works = folder.rules.filter(({ id }) => !isOff(id)).map(workOfRule)
  return {
    works: sigmaWork ? [...works, sigmaWork] : works,
    listed: withSources(listed, folder),
    broken: folder.broken,
    sigma,
  }
}

// A rule that raises no alerts may still run for others; what is left is below the level that channels.yml asks for.
function stateOf(id: string, { silent }: SigmaSet, isOff: (id: string) => boolean): AlertRule['state'] {
  if (isOff(id)) return 'off'
  return silent.has(id) ? 'running' : 'disabled'
}

function withSources(listed: RulesInEffect['listed'], { sources }: RulesFolder): RulesInEffect['listed'] {
  return new Map([...listed].map(([id, rule]) => [id, { ...rule, ...sources.get(id) }]))
}

function bigints(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function listing(
  rule: AlertingRule & { readonly index?: string },
  kind: AlertRule['kind'],
  state: AlertRule['state'],
): Omit<AlertRule, 'switched_off' | 'switched_by'> {
  return {
    name: rule.name,
    kind,
    type: rule.typeName,
    file: rule.id,
    severity: rule.severity,
    state,
    error: null,
    tags: [...rule.tags],
    ...(rule.description === undefined ? {} : { description: rule.description }),
    ...(rule.index === undefined ? {} : { index: rule.index }),
  }
}
