import { Telescope } from 'lucide-react'
import { defineFeature } from '../feature.ts'
import { messages } from './messages.ts'

/** Discover: see `page.tsx`. */
export const discover = defineFeature({
  id: 'discover',
  title: messages.title,
  path: 'discover',
  icon: Telescope,
  group: 'analyse',
  load: () => import('./page.tsx'),
})
