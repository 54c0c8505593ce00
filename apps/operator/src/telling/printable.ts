// All but tab and line feed: C0, DEL and C1.
const controls = /(?![\t\n])\p{Cc}/gu

/**
 * A line as it is written to `stream`. On a terminal without control characters, as `\x1b`: hosts, agents and events say much of what is shown to root,
 * and whoever speaks there could move the cursor over other lines, name the window or fill the clipboard. Elsewhere as it is.
 */
export function printable(line: string, stream: { readonly isTTY?: boolean | undefined }): string {
  if (stream.isTTY !== true) return line
  return line.replace(controls, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
