import type { PanelModel } from '../model/panel-model.ts'
import { lensChartOf } from './lens-chart.ts'

/** What is asked for over the dashboard. A panel is one that is edited; without it a new one is made. */
export type EditDialog =
  | { readonly kind: 'chart' | 'text'; readonly panel?: PanelModel }
  | { readonly kind: 'library' | 'settings' | 'save-as' }
  | { readonly kind: 'rename'; readonly panel: PanelModel }

/** The dialog that edits what a panel shows; undefined where there is none for its kind. */
export function editDialogOf(panel: PanelModel): EditDialog | undefined {
  if (panel.kind === 'markdown' && panel.attributes['savedVis'] !== undefined) return { kind: 'text', panel }
  return panel.kind.startsWith('lns') && lensChartOf(panel.attributes) ? { kind: 'chart', panel } : undefined
}
