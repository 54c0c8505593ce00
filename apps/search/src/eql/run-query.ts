import { emptyAnswer, eventsAnswer, groupsAnswer } from './answer.ts'
import type { EqlPlan } from './compile-query.ts'
import type { EqlRun } from './eql-run.ts'
import { EventReader, placeOf } from './event-reader.ts'
import type { EventGroup, EventRef } from './event-ref.ts'
import { windowOf } from './pipes.ts'
import { SampleCollector } from './sample-collector.ts'
import { SequenceMachine } from './sequence-machine.ts'

/** What was found, as the `hits` of an answer: JSON text; and why it goes without some indices, each as JSON. */
export interface EqlFound {
  readonly hits: string
  readonly failures: readonly string[]
}

/** Runs a query. Throws what its searches throw, and `circuit_breaking_exception` where too much would be held. */
export function runQuery(run: EqlRun): Promise<EqlFound> {
  return run.plan.kind === 'event' ? searchEvents(run, run.plan) : searchGroups(run, run.plan)
}

async function searchEvents(run: EqlRun, plan: Extract<EqlPlan, { kind: 'event' }>): Promise<EqlFound> {
  const { request, parsed } = run
  const window = windowOf(parsed.pipes, request)
  const reader = new EventReader(run)
  const page = await reader.matching(plan.clause, window.position, window.count)
  return { hits: eventsAnswer(page.total, window.within(page.events)), failures: reader.failures }
}

async function searchGroups(run: EqlRun, plan: Exclude<EqlPlan, { kind: 'event' }>): Promise<EqlFound> {
  const { request, parsed } = run
  const window = windowOf(parsed.pipes, request)
  if (window.count === 0) return { hits: emptyAnswer('sequences'), failures: [] }
  const filters = plan.stages.map(({ filter }) => filter)
  const collector =
    plan.kind === 'sample'
      ? new SampleCollector(filters, { count: request.size, perKey: request.samplesPerKey })
      : new SequenceMachine(plan, window)
  const reader = new EventReader(run)
  await reader.each(plan, (found) => {
    collector.accept(found)
    return !collector.isDone
  })
  // An event in an index that could not be read may make a sequence other than it looks.
  if (reader.failures.length > 0 && !request.allowsPartialSequences)
    return { hits: emptyAnswer('sequences'), failures: reader.failures }
  const found = collector.finish()
  const groups: readonly EventGroup[] = plan.kind === 'sample' ? found : window.within(found)
  const events = groups.flatMap((group) => group.events.filter((event): event is EventRef => event !== undefined))
  const documents = await reader.documents(events)
  const hits = groupsAnswer(groups, (group) =>
    group.events.map((event) => event && documents.get(placeOf(event.index, event.id))),
  )
  return { hits, failures: reader.failures }
}
