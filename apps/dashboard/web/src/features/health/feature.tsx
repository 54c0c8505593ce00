import { HeartPulse } from 'lucide-react'
import { defineFeature } from '../feature.ts'
import { messages } from './messages.ts'

/** Health: see `page.tsx`. */
export const health = defineFeature({
  id: 'health',
  title: messages.title,
  path: 'health',
  icon: HeartPulse,
  group: 'operate',
  load: () => import('./page.tsx'),
})
