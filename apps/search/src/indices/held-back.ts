import type { IndexMeta } from '../model/index-meta.ts'

/** Whether searches see what is written to an index only once it is refreshed: `index.refresh_interval` is -1. */
export function isHeldBack({ settings }: Pick<IndexMeta, 'settings'>): boolean {
  return settings['refresh_interval'] === '-1'
}
