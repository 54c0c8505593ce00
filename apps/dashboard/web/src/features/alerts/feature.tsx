import { BellRing } from 'lucide-react'
import { defineFeature } from '../feature.ts'
import { messages } from './messages.ts'

/** Alerts: see `page.tsx`. */
export const alerts = defineFeature({
  id: 'alerts',
  title: messages.title,
  path: 'alerts',
  icon: BellRing,
  group: 'respond',
  load: () => import('./page.tsx'),
})
