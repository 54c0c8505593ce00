import { SquareTerminal } from 'lucide-react'
import { defineFeature } from '../feature.ts'
import { messages } from './messages.ts'

/** Dev Tools: see `page.tsx`. */
export const consoleFeature = defineFeature({
  id: 'console',
  title: messages.title,
  path: 'dev_tools',
  icon: SquareTerminal,
  group: 'operate',
  load: () => import('./page.tsx'),
})
