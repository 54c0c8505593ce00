import { LayoutDashboard } from 'lucide-react'
import { defineFeature } from '../feature.ts'
import { messages } from './messages.ts'

/** Dashboards: see `page.tsx`. */
export const dashboards = defineFeature({
  id: 'dashboards',
  title: messages.title,
  path: 'dashboards',
  icon: LayoutDashboard,
  group: 'analyse',
  load: () => import('./page.tsx'),
})
