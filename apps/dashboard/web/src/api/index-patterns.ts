import { request } from './client.ts'

/** An index pattern as the pages use it. */
export interface IndexPattern {
  readonly id: string
  /** The names it stands for, `logs-*`. */
  readonly title: string
  readonly name: string
  readonly timeField: string | undefined
  readonly isDefault: boolean
}

interface DataView {
  readonly id: string
  readonly title: string
  readonly name?: string
  readonly timeFieldName?: string
}

/** The index patterns, the Default first. */
export async function loadIndexPatterns(signal?: AbortSignal): Promise<IndexPattern[]> {
  const [views, chosen] = await Promise.all([
    request<{ data_view: DataView[] }>('api/data_views', { signal }),
    request<{ data_view_id: string | null }>('api/data_views/default', { signal }),
  ])
  const patterns = views.data_view.map((view) => ({
    id: view.id,
    title: view.title,
    name: view.name ?? view.title,
    timeField: view.timeFieldName,
    isDefault: view.id === chosen.data_view_id,
  }))
  return patterns.sort(
    (left, right) => Number(right.isDefault) - Number(left.isDefault) || left.name.localeCompare(right.name),
  )
}
