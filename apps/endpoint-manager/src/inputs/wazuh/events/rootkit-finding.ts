import type { MessageKind } from './reading.ts'

/** `9`: what looks like a rootkit, in words. */
export const rootkitFinding: MessageKind = {
  name: 'rootcheck',
  read(text) {
    if (/^(?:Starting|Ending) (?:rootcheck|syscheck) scan\.?/.test(text)) return 'none'
    const event = { kind: 'event', category: ['intrusion_detection'], type: ['info'], action: 'rootcheck' }
    return { dataset: 'wazuh.rootcheck', fields: { message: text, event } }
  },
}
