import { Settings2 } from 'lucide-react'
import { defineFeature } from '../feature.ts'
import { messages } from './messages.ts'

/** Management: see `page.tsx`. */
export const management = defineFeature({
  id: 'management',
  title: messages.title,
  path: 'management',
  icon: Settings2,
  group: 'operate',
  load: () => import('./page.tsx'),
})
