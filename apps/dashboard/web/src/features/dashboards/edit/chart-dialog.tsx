import { Button, Group, SegmentedControl, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { IndexPattern } from '../../../api/index-patterns.ts'
import { useIndexPatterns } from '../../../api/saved-objects.ts'
import { numericTypes } from '../../../fields/numeric-types.ts'
import { useFields } from '../../../query/use-fields.ts'
import { Dialog } from '../../../shell/dialog.tsx'
import { ErrorState, LoadingState } from '../../../shell/states.tsx'
import { dashboardOf } from '../model/dashboard.ts'
import type { DashboardContext } from '../model/panel.ts'
import type { PanelModel } from '../model/panel-model.ts'
import { PanelBody } from '../panel-grid.tsx'
import { emptyDashboard, type NewPanel, withPanel } from './draft.ts'
import {
  type ChartMetric,
  type ChartShape,
  chartMetrics,
  chartShapes,
  isComplete,
  type LensChart,
  lensChartOf,
  lensPanel,
} from './lens-chart.ts'
import { messages } from './messages.ts'

interface ChartDialogProps {
  /** The panel that is edited; absent for a new one. */
  readonly panel: PanelModel | undefined
  readonly context: DashboardContext
  readonly onDone: (panel: NewPanel) => void
  readonly onClose: () => void
}

const countable = new Set(['keyword', 'constant_keyword', 'wildcard', 'ip', 'boolean', 'version', 'date'])
const sizeChoices = ['3', '5', '10', '20', '50', '100']

/** Builds a chart by choosing; the preview is drawn by the panel that will draw it. */
export function ChartDialog(props: ChartDialogProps) {
  const patterns = useIndexPatterns()
  return (
    <Dialog onClose={props.onClose} title={props.panel ? messages.editChart : messages.addChart} size="80rem">
      {patterns.isPending && <LoadingState />}
      {patterns.isError && <ErrorState error={patterns.error} onRetry={() => void patterns.refetch()} />}
      {patterns.isSuccess && <ChartForm {...props} patterns={patterns.data} />}
    </Dialog>
  )
}

function ChartForm({ panel, context, onDone, patterns }: ChartDialogProps & { patterns: readonly IndexPattern[] }) {
  const [title, setTitle] = useState(panel?.title ?? '')
  const [chart, setChart] = useState<LensChart>(
    () => (panel && lensChartOf(panel.attributes)) ?? firstChart(patterns[0]),
  )
  const change = (patch: Partial<LensChart>): void => setChart((before) => ({ ...before, ...patch }))
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Stack gap="sm">
        <TextInput
          label={messages.panelTitle}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label={messages.shape}
          data={chartShapes.map((value) => ({ value, label: messages.shapes[value] }))}
          value={chart.shape}
          onChange={(shape) => change({ shape: shape as ChartShape })}
        />
        <Select
          label={messages.pattern}
          data={patterns.map(({ id, name }) => ({ value: id, label: name }))}
          value={chart.patternId}
          allowDeselect={false}
          onChange={(id) =>
            change(
              patternChoice(
                patterns.find((pattern) => pattern.id === id),
                chart,
              ),
            )
          }
        />
        <FieldChoices chart={chart} change={change} pattern={patterns.find(({ id }) => id === chart.patternId)} />
        <TextInput
          label={messages.chartQuery}
          value={chart.query}
          onChange={(event) => change({ query: event.currentTarget.value })}
        />
        <Group justify="flex-end">
          <Button disabled={!isComplete(chart)} onClick={() => onDone(lensPanel(chart, title.trim()))}>
            {messages.done}
          </Button>
        </Group>
      </Stack>
      <Preview chart={chart} context={context} />
    </SimpleGrid>
  )
}

function firstChart(pattern: IndexPattern | undefined): LensChart {
  return {
    shape: 'bar',
    patternId: pattern?.id ?? '',
    timeField: pattern?.timeField,
    metric: 'count',
    metricField: undefined,
    by: pattern?.timeField === undefined ? undefined : { type: 'time' },
    split: undefined,
    query: '',
  }
}

function patternChoice(pattern: IndexPattern | undefined, chart: LensChart): Partial<LensChart> {
  if (!pattern) return {}
  const loses = pattern.timeField === undefined && chart.by?.type === 'time'
  return { patternId: pattern.id, timeField: pattern.timeField, ...(loses ? { by: undefined } : {}) }
}

function FieldChoices({
  chart,
  change,
  pattern,
}: {
  chart: LensChart
  change: (patch: Partial<LensChart>) => void
  pattern: IndexPattern | undefined
}) {
  const { fields } = useFields(pattern?.title)
  const [groupable, measurable] = useMemo(() => {
    const usable = fields.filter(({ aggregatable }) => aggregatable)
    const numbers = usable.filter(({ type }) => numericTypes.has(type)).map(({ name }) => name)
    const groups = usable.filter(({ type }) => countable.has(type) || numericTypes.has(type)).map(({ name }) => name)
    return [groups, numbers]
  }, [fields])
  const takesAny = chart.metric === 'unique_count' || chart.metric === 'last_value'
  const by = chart.by?.type ?? 'nothing'
  return (
    <>
      <Group grow align="flex-end">
        <Select
          label={messages.metric}
          data={chartMetrics.map((value) => ({ value, label: messages.metrics[value] }))}
          value={chart.metric}
          allowDeselect={false}
          onChange={(metric) => change({ metric: metric as ChartMetric, metricField: undefined })}
        />
        {chart.metric !== 'count' && (
          <FieldSelect
            label={messages.metricField}
            fields={takesAny ? groupable : measurable}
            value={chart.metricField}
            onChange={(metricField) => change({ metricField })}
          />
        )}
      </Group>
      <Group grow align="flex-end">
        <Select
          label={messages.by}
          data={[
            { value: 'nothing', label: messages.byNothing },
            { value: 'time', label: messages.byTime, disabled: pattern?.timeField === undefined },
            { value: 'values', label: messages.byValues },
          ]}
          value={by}
          allowDeselect={false}
          onChange={(type) => change({ by: byChoice(type) })}
        />
        {chart.by?.type === 'values' && (
          <FieldSelect
            label={messages.byField}
            fields={groupable}
            value={chart.by.field}
            onChange={(field = '') => change({ by: { type: 'values', field, size: sizeOf(chart) } })}
          />
        )}
        {chart.by?.type === 'values' && (
          <SizeSelect
            value={chart.by.size}
            onChange={(size) => change({ by: { type: 'values', field: fieldOf(chart), size } })}
          />
        )}
      </Group>
      {chart.by && chart.shape !== 'metric' && (
        <FieldSelect
          label={messages.split}
          placeholder={messages.noSplit}
          clearable
          fields={groupable}
          value={chart.split?.field}
          onChange={(field) =>
            change({ split: field === undefined ? undefined : { field, size: chart.split?.size ?? 5 } })
          }
        />
      )}
    </>
  )
}

function byChoice(type: string | null): LensChart['by'] {
  if (type === 'time') return { type: 'time' }
  return type === 'values' ? { type: 'values', field: '', size: 5 } : undefined
}

function sizeOf({ by }: LensChart): number {
  return by?.type === 'values' ? by.size : 5
}

function fieldOf({ by }: LensChart): string {
  return by?.type === 'values' ? by.field : ''
}

const optionsMax = 100

function FieldSelect({
  label,
  fields,
  value,
  onChange,
  ...look
}: {
  label: string
  placeholder?: string
  clearable?: boolean
  fields: readonly string[]
  value: string | undefined
  onChange: (field: string | undefined) => void
}) {
  return (
    <Select
      label={label}
      searchable
      limit={optionsMax}
      data={[...fields]}
      value={value || null}
      onChange={(field) => onChange(field ?? undefined)}
      {...look}
    />
  )
}

function SizeSelect({ value, onChange }: { value: number; onChange: (size: number) => void }) {
  return (
    <Select
      label={messages.size}
      data={sizeChoices}
      value={String(value)}
      allowDeselect={false}
      onChange={(size) => onChange(Number(size ?? value))}
    />
  )
}

function Preview({ chart, context }: { chart: LensChart; context: DashboardContext }) {
  const panel = useMemo(() => {
    if (!isComplete(chart)) return undefined
    return dashboardOf(withPanel(emptyDashboard('preview', ''), lensPanel(chart, ''), 'preview'), context.objects)
      .panels[0]
  }, [chart, context.objects])
  return (
    <section aria-label={messages.preview} style={{ height: 380, minWidth: 0 }} className="panel">
      {panel ? (
        <PanelBody panel={panel} context={context} />
      ) : (
        <Text p="md" size="sm" className="muted">
          {messages.incomplete}
        </Text>
      )}
    </section>
  )
}
