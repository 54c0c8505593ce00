import { limits } from '../../../limits.ts'
import { type MessageKind, readObject } from './reading.ts'

/** The data sets that our own agent gives to channels. */
const datasets = new Map([
  ['Security', 'windows.security'],
  ['System', 'windows.system'],
  ['Application', 'windows.application'],
  ['Microsoft-Windows-PowerShell/Operational', 'windows.powershell_operational'],
  ['PowerShellCore/Operational', 'windows.powershell_operational'],
  ['Windows PowerShell', 'windows.powershell_operational'],
  ['Microsoft-Windows-Windows Defender/Operational', 'windows.defender'],
  ['Microsoft-Windows-Sysmon/Operational', 'windows.sysmon_operational'],
])
const end = '</Event>'
const renderingStart = '<RenderingInfo><Message>'
const renderingEnd = '</Message></RenderingInfo>'

/**
 * `f`: events of the Windows Event Log as JSON, with the XML that Windows has of it in `Event` and what it says in words in `Message`. Windows itself
 * has both in one XML, where decoders look for it.
 */
export const windowsEvent: MessageKind = {
  name: 'windows',
  read(text) {
    const read = readObject(text)
    const xml = read?.['Event']
    if (read === undefined || typeof xml !== 'string' || !xml.includes('<Event')) return undefined
    const channel = /<Channel>([^<]{1,255})<\/Channel>/.exec(xml)?.[1]
    const said = read['Message']
    const rendered = typeof said === 'string' && said.trim() !== '' ? withMessage(xml, said.trim()) : xml
    return {
      dataset: datasets.get(channel ?? '') ?? 'windows.forwarded',
      fields: {
        message: rendered ?? xml,
        ...(rendered === undefined ? { event: { original: text } } : {}),
        ...(channel === undefined ? {} : { winlog: { channel } }),
      },
    }
  },
}

/** The XML with the words in it; undefined where both are more than decoders look at. */
function withMessage(xml: string, said: string): string | undefined {
  if (!xml.trimEnd().endsWith(end) || xml.includes('<RenderingInfo')) return xml
  const body = xml.slice(0, xml.lastIndexOf(end))
  const rendered = `${body}${renderingStart}${escapeXml(said)}${renderingEnd}${end}`
  return rendered.length > limits.decodedCharactersMax ? undefined : rendered
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
