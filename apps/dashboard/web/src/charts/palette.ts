/** Colours of a chart for one colour scheme. */
export interface ChartTheme {
  readonly text: string
  readonly line: string
  readonly split: string
  readonly tooltip: string
  readonly series: readonly string[]
  readonly accent: string
}

// Distinguishable for colour-blind people, on both backgrounds.
const seriesColors = [
  '#2f93bb',
  '#e08e2b',
  '#4ea674',
  '#c75a72',
  '#8a6fc2',
  '#b7a22e',
  '#5b8fd6',
  '#a8705a',
  '#5fb3b3',
  '#d277b4',
]

/** The colours of a scheme. */
export function chartTheme(scheme: 'light' | 'dark'): ChartTheme {
  const shared = { series: seriesColors, accent: '#2f93bb' }
  return scheme === 'dark'
    ? { ...shared, text: '#94a3b4', line: '#3a4759', split: '#222d3a', tooltip: '#1d2733' }
    : { ...shared, text: '#5b6877', line: '#c3ccd6', split: '#e9edf2', tooltip: '#ffffff' }
}
