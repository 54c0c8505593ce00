import { Text } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ECharts } from 'echarts/core'
import { useCallback } from 'react'
import { loadIndexPatterns } from '../../../api/index-patterns.ts'
import { Chart } from '../../../charts/chart.tsx'
import type { ChartTheme } from '../../../charts/palette.ts'
import { brushTime } from '../../../charts/time-brush.ts'
import { text } from '../../../kibana/saved-json.ts'
import { EmptyState, ErrorState, LoadingState } from '../../../shell/states.tsx'
import { Answered } from '../answers/answered.tsx'
import { captionAttribute } from '../inspect/save-picture.ts'
import { messages } from '../messages.ts'
import type { DashboardContext, PanelProps } from '../model/panel.ts'
import { visParams } from '../model/vis-params.ts'
import { timelionOption, titleOf } from './draw/option.ts'
import { TimelionError } from './language/tree.ts'
import { loadTimelion, type TimelionAnswer } from './search/load.ts'

/** Calculates a panel's expression and draws its series. What is wrong with it is told. */
export function TimelionPanel({ panel, context }: PanelProps) {
  const client = useQueryClient()
  const params = visParams(panel)
  const saved = { expression: text(params['expression']) ?? '', interval: text(params['interval']) }
  const { range, queries, filters, round } = context
  const found = useQuery({
    // As all panels' questions are known: their menus look here.
    queryKey: ['panel', panel.id, 0, saved, range, queries, filters, round],
    enabled: saved.expression.trim() !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const timeFieldOf = async (index: string): Promise<string | undefined> => {
        const patterns = await client.ensureQueryData({
          queryKey: ['index-patterns'],
          queryFn: () => loadIndexPatterns(),
        })
        return patterns.find(({ title }) => title === index)?.timeField
      }
      return loadTimelion(saved, { context, timeFieldOf, signal })
    },
  })
  if (saved.expression.trim() === '') return <EmptyState title={messages.noExpression} />
  if (found.error) return <Failed error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <LoadingState label={panel.title} />
  return (
    <Answered told={found.data.told}>
      {isEmpty(found.data) ? (
        <EmptyState title={messages.noData}>{saysWhy(found.data)}</EmptyState>
      ) : (
        <Drawn answer={found.data} label={panel.title} onZoom={context.onZoom} />
      )}
    </Answered>
  )
}

/** An expression that is wrong stays so, however often it is tried. */
function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isWrong = error instanceof TimelionError
  return <ErrorState error={error} title={messages.panelFailed} {...(isWrong ? {} : { onRetry })} />
}

function saysWhy({ series, foundNothing }: TimelionAnswer): string | undefined {
  return series.length === 0 && !foundNothing ? messages.noSplitValues : undefined
}

/** Nothing but gaps, or nothing but zeros of searches that found nothing. */
function isEmpty({ series, foundNothing }: TimelionAnswer): boolean {
  return series.every(({ points }) => points.every(([, value]) => value === null || (foundNothing && value === 0)))
}

function Drawn({
  answer: { series, axes, range },
  label,
  onZoom,
}: {
  answer: TimelionAnswer
  label: string
  onZoom: DashboardContext['onZoom']
}) {
  const title = titleOf(series)
  const option = useCallback(
    (theme: ChartTheme) => timelionOption({ series, axes, range }, theme),
    [series, axes, range],
  )
  const onReady = useCallback((chart: ECharts) => brushTime(chart, onZoom), [onZoom])
  return (
    <div style={{ display: 'flex', flexDirection: 'column', height: '100%' }} data-testid="panel-drawn">
      {title !== undefined && (
        <Text size="sm" fw={600} ta="center" truncate {...{ [captionAttribute]: true }}>
          {title}
        </Text>
      )}
      <div style={{ flex: 1, minHeight: 0 }}>
        <Chart option={option} label={label || title || messages.timelionChart} onReady={onReady} />
      </div>
    </div>
  )
}
