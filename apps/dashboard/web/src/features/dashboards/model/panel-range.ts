import { jsonObject, text } from '../../../kibana/saved-json.ts'
import { type ResolvedRange, resolveRange, type TimeRange } from '../../../time/time-range.ts'
import type { PanelModel } from './panel-model.ts'

/** The range that a panel's author gave it in place of the dashboard's. */
export function ownRange({ config }: Pick<PanelModel, 'config'>): TimeRange | undefined {
  const saved = jsonObject(config['timeRange'] ?? config['time_range'])
  const [from, to] = [text(saved['from']), text(saved['to'])]
  return from && to ? { from, to } : undefined
}

interface Ranged {
  readonly range: ResolvedRange
  readonly address: { readonly range: TimeRange }
}

/** What a panel shares with its dashboard, over the panel's own range where it has one; `now` is what that counts from. */
export function withOwnRange<Context extends Ranged>(
  panel: Pick<PanelModel, 'config'>,
  context: Context,
  now: Date,
): Context {
  const own = ownRange(panel)
  return own ? { ...context, range: resolveRange(own, now), address: { ...context.address, range: own } } : context
}
