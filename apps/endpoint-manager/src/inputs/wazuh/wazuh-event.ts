import type { RawEvent } from '../../documents/build-document.ts'
export interface WazuhHost {
  readonly id: string
  readonly name: string
  readonly address: string
  readonly version?: string
  readonly os?: string
}
export function wazuhEvent(text: string, host: WazuhHost): Omit<RawEvent, 'collected' | 'timezone'> | undefined {
  return {
    type: 'logs',
    dataset: 'file.log',
    fields: { message: text.split(':').slice(2).join(':'), host: { name: host.name, ip: host.address } },
  }
}
