import type { ReactNode } from 'react'
import { EmptyState } from '../../../shell/states.tsx'
import { messages } from '../messages.ts'
import { defineDataPanel, type PanelProps } from '../model/panel.ts'
import type { Table } from '../model/table.ts'
import { type TsvbModel, tsvbModel } from '../model/tsvb/series.ts'
import { drawGauge } from './tsvb/gauge.tsx'
import { drawMarkdown } from './tsvb/markdown.tsx'
import { drawMetric } from './tsvb/metric.tsx'
import { drawTable } from './tsvb/table.tsx'
import { drawTimeseries } from './tsvb/timeseries.tsx'
import { drawTopN } from './tsvb/top-n.tsx'

/** What draws a type of TSVB visualization. */
type DrawTsvb = (model: TsvbModel, tables: readonly Table[], props: PanelProps) => ReactNode

const types: Readonly<Record<string, DrawTsvb>> = {
  timeseries: drawTimeseries,
  metric: drawMetric,
  gauge: drawGauge,
  top_n: drawTopN,
  table: drawTable,
  markdown: drawMarkdown,
}

/** TSVB: time series, metric, gauge, top N, table and markdown, with their chains of metrics. */
export const metrics = defineDataPanel('metrics', (props) => {
  const model = tsvbModel(props.panel, props.context.objects, props.context.range)
  const draw = types[model.type]
  if (!draw || model.unknown.length > 0) {
    const unknown = draw ? model.unknown : [model.type]
    return {
      requests: [],
      drawsEmpty: true,
      draw: () => <EmptyState title={messages.unknownTsvb(unknown.join(', '))} />,
    }
  }
  return {
    requests: model.series.map(({ request }) => request),
    // Its words are there without any event.
    drawsEmpty: model.type === 'markdown',
    draw: (tables) => draw(model, tables, props),
  }
})
