import './early-signals.ts'
import { defineSettings, setting } from '@logstack/settings'
import { z } from 'zod'
import { runPart } from './run-part.ts'

// A whole part that does nothing, for the test of its life; it says each value of its one live setting.
await runPart({
  name: 'idle',
  settings: defineSettings('idle', {
    pause_ms: setting(z.number().int(), { default: 1, applies: 'live', doc: 'A live key.' }),
    port: setting(z.number().int(), { default: 1, applies: 'restart', doc: 'A key that waits.' }),
  }),
  async start({ settings, logger }) {
    if (process.env['LOGSTACK_LOG_LEVEL'] === 'debug') {
      logger.debug('starting')
      await new Promise((resolve) => setTimeout(resolve, 600_000))
    }
    logger.info({ takesMembers: Object.isExtensible(Object.prototype) }, 'what all objects inherit')
    settings.onChange('pause_ms', (value) => logger.info({ value }, 'pause changed'))
    const alive = setInterval(() => settings.get('pause_ms'), 1_000)
    return { stop: async () => clearInterval(alive) }
  },
})
