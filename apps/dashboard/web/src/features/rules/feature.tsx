import { ShieldAlert } from 'lucide-react'
import { defineFeature } from '../feature.ts'
import { messages } from './messages.ts'

/** Rules: see `page.tsx`. */
export const rules = defineFeature({
  id: 'rules',
  title: messages.title,
  path: 'rules',
  icon: ShieldAlert,
  group: 'respond',
  load: () => import('./page.tsx'),
})
