import { MonitorSmartphone } from 'lucide-react'
import { defineFeature } from '../feature.ts'
import { messages } from './messages.ts'

/** Agents: see `page.tsx`. */
export const agents = defineFeature({
  id: 'agents',
  title: messages.title,
  path: 'agents',
  icon: MonitorSmartphone,
  group: 'respond',
  load: () => import('./page.tsx'),
})
