import { parse } from 'tldts'
import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'

const options = { allowPrivateDomains: true, extractHostname: false, detectIp: true, validateHostname: false }

/** The parts of a name by the public suffix list; undefined when it is no name. A public suffix alone (`co.uk`) is its own top level. */
function partsOf(name: string): Record<string, string> | undefined {
  if (!/^[^\s./:@]+(?:\.[^\s./:@]+)*$/u.test(name)) return undefined
  const { domain, publicSuffix, subdomain, isIp } = parse(name.toLowerCase(), options)
  if (isIp || publicSuffix === null) return undefined
  return {
    domain: name,
    ...(domain === null ? {} : { registered_domain: domain }),
    top_level_domain: publicSuffix,
    ...(subdomain === null || subdomain === '' ? {} : { subdomain }),
  }
}

/** `registered_domain`: a host's name taken apart into the domain somebody registered, what is above it and what is below. */
export const registeredDomainProcessor = defineProcessor('registered_domain', (config) => {
  const field = config.text('field')
  const target = config.optionalText('target_field') ?? ''
  const ignoreMissing = config.boolean('ignore_missing', true)
  return (document) => {
    const text = document.text(field, ignoreMissing)
    // A name may end with the dot of the root.
    const parts = text === undefined ? undefined : partsOf(text.replace(/\.$/u, ''))
    if (!parts) {
      if (ignoreMissing && (text === undefined || text === '')) return
      throw unfit('unable to set domain information for document')
    }
    for (const [name, value] of Object.entries(parts)) document.set(target === '' ? name : `${target}.${name}`, value)
  }
})
