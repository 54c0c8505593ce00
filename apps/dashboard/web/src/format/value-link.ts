import type { ValueFormat } from '../kibana/value-format.ts'

/** Where a value leads to, and what the link says; nothing for one that is no link, or leads elsewhere than to pages of the web and of Kibana. */
export function linkOf(
  value: string | number | boolean | null,
  format: ValueFormat | undefined,
): { readonly href: string; readonly label: string } | undefined {
  const link = format?.link
  if (!link || value === null) return undefined
  const filled = (template: string, write: (text: string) => string): string =>
    template.replaceAll(/\{\{\s*(?:raw)?value\s*\}\}/gi, () => write(String(value)))
  // A template that is the value alone means an address; else the value is a part of one.
  const isWhole = /^\{\{\s*(?:raw)?value\s*\}\}$/i.test(link.url.trim())
  const href = filled(link.url.trim(), isWhole ? String : encodeURIComponent)
  if (!/^(https?:\/\/|\/(?!\/)|\.\.?\/|#)/i.test(href)) return undefined
  return { href, label: link.label ? filled(link.label, String) : String(value) }
}
