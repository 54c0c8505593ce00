import type { KeptObject } from '../dashboard-page.ts'

/** The id of the dashboard. */
export const dashboardId = 'all-timelion'
const index = 'web-events'
const ofEvents = (...given: readonly string[]): string => `.es(${[`index=${index}`, ...given].join(', ')})`

interface Drawn {
  readonly expression: string
  readonly interval: string
}

const per = (interval: string, ...chains: readonly string[]): Drawn => ({ expression: chains.join(',\n  '), interval })

/** Expressions that are drawn, by the id of their panel. */
const drawn: Readonly<Record<string, Drawn>> = {
  counts: per(
    '10m',
    `${ofEvents()}.label(events)`,
    `${ofEvents("q='http.status:500'")}.bars(30).label(failed).color(#c75a72)`,
  ),
  before: per(
    '10m',
    `${ofEvents('metric=sum:bytes')}.label(now)`,
    `${ofEvents('metric=sum:bytes', 'offset=-10m')}.label("before").lines(width=1)`,
  ),
  hosts: per(
    '10m',
    `${ofEvents('split=host.name:5', 'metric=avg:bytes')}.label('$1', '^.* > host.name:(\\S+) > .*').lines(fill=2, width=1).legend(ne).title("Mean bytes of hosts")`,
  ),
  share: per(
    '10m',
    `${ofEvents("q='http.status:500'")}.divide(${ofEvents()}).label(share).yaxis(2, min=0, max=1, units=percent, label="failed", color=#c75a72)`,
    `${ofEvents('metric=sum:bytes')}.bars(20).label(traffic).yaxis(1, units=bytes, label="traffic")`,
    `${ofEvents('metric=max:bytes')}.label(largest).yaxis(4, units='custom::B', tickDecimals=1)`,
  ),
  stacked: per('5m', `${ofEvents('split=host.name:5')}.bars(24).color(#2f93bb:#c75a72).legend(position=nw, columns=3)`),
  marks: per(
    '5m',
    `${ofEvents('metric=max:bytes')}.points(symbol=triangle, radius=6, fill=10).label(largest)`,
    '.static(300, label=limit).lines(width=1)',
    '.static(100:300:500, "goal").lines(steps=true)',
    `${ofEvents('metric=min:bytes')}.hide().label(hidden)`,
  ),
  smooth: per(
    '1m',
    `$events=${ofEvents()}.cusum()`,
    '($events).label(sum)',
    '($events).mvavg(5).label(mean)',
    '(@1:1).subtract(@1:2).abs().yaxis(2).label(distance)',
    '($events).trend(linear, start=10).label(trend)',
    '($events).derivative().if(gt, 1, 2, 0).holt(0.5).label(rise)',
  ),
  percentiles: per('10m', ofEvents("metric='percentiles:bytes:50,95'", "q='http.status:200'", "q='http.status:500'")),
  everything: per('30m', '.es(*)'),
  alone: per('30m', `${ofEvents('kibana=false')}.label(all)`, `${ofEvents()}.label(asked)`),
}

const doublings = Array.from({ length: 40 }, (_, at) => `$v${at + 1}=($v${at}, $v${at})`)

/** Expressions that cannot be drawn, by the id of their panel. */
const refused: Readonly<Record<string, Drawn>> = {
  misspelt: per('auto', ofEvents(), `${ofEvents()}.mvag(3)`),
  unfinished: per('auto', `.es(index=${index}, q='a b'`),
  absent: per('auto', '.es(index=no-such-index)'),
  lucene: per('auto', ofEvents("q='http.status:['")),
  elsewhere: per('auto', '.quandl(WIKI/AAPL)'),
  fine: per('100ms', ofEvents()),
  deep: per('auto', `${'('.repeat(9_000)}.static(1)`),
  many: per('auto', Array.from({ length: 1_900 }, () => '.static(1)').join(',')),
  doubled: per('auto', '$v0=(.static(1), .static(1))', ...doublings, '($v40).abs()'),
}

/** Expressions that have nothing to draw. */
const empty: Readonly<Record<string, Drawn>> = {
  nosplit: per('auto', ofEvents('split=nothing:5')),
  nodata: per('auto', ofEvents("q='http.status:999'")),
}

/** Expressions that would take a browser forever, were they not bounded. */
const hostile: Readonly<Record<string, Drawn>> = {
  windows: per(
    '10m',
    `${ofEvents()}.mvavg(1000000000).label(x)`,
    '.static(1).divide(0)',
    '.static(2).mvstd(1000000000)',
    '.static(1, "one")',
  ),
  markup: per(
    '10m',
    `.static(1, "<img src=x onerror='window.hacked=1'>").yaxis(units="custom:<img src=x onerror='window.hacked=1'>")`,
  ),
  pattern: per('10m', `.static(1, "${'a'.repeat(900)}!").label("found", "(a+)+$")`),
}

/** All expressions by the id of their panel. */
const expressions = { ...drawn, ...refused, ...empty, ...hostile }

const source = {
  kibanaSavedObjectMeta: { searchSourceJSON: JSON.stringify({ query: { query: '', language: 'kuery' }, filter: [] }) },
}

/** The objects to import: visualizations as Kibana 7 exports them, the dashboard that they are on, and a sheet of Kibana's old Timelion page. */
export function timelionObjects(): KeptObject[] {
  const ids = Object.keys(expressions)
  const panels = ids.map((id, at) => ({
    type: 'visualization',
    panelIndex: id,
    panelRefName: `panel_${at}`,
    title: id,
    gridData: { x: (at % 3) * 16, y: Math.floor(at / 3) * 12, w: 16, h: 12, i: id },
    embeddableConfig: {},
  }))
  const visualizations = Object.entries(expressions).map(
    ([id, params]): KeptObject => ({
      type: 'visualization',
      id: `timelion-${id}`,
      attributes: {
        title: id,
        visState: JSON.stringify({ title: id, type: 'timelion', params, aggs: [] }),
        uiStateJSON: '{}',
        description: '',
        version: 1,
        ...source,
      },
      references: [],
    }),
  )
  const references = ids.map((id, at) => ({ name: `panel_${at}`, type: 'visualization', id: `timelion-${id}` }))
  return [
    ...visualizations,
    {
      type: 'dashboard',
      id: dashboardId,
      attributes: {
        title: 'Timelion',
        description: '',
        panelsJSON: JSON.stringify(panels),
        optionsJSON: '{}',
        timeRestore: false,
        version: 1,
        ...source,
      },
      references,
    },
    {
      type: 'timelion-sheet',
      id: 'old-sheet',
      attributes: {
        title: 'An old sheet',
        timelion_sheet: ['.es(*)', '.es(*).mvavg(7)'],
        timelion_interval: 'auto',
        timelion_columns: 2,
        timelion_rows: 1,
        version: 1,
      },
      references: [],
    },
  ]
}
