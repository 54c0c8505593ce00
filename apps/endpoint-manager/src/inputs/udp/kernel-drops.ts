/** The sum of the last column, `drops`, of the sockets of a local port in a text of `/proc/net/udp` (proc_net_udp(5)). */
export function kernelDrops(table: string, port: number): number {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[1]?.endsWith(ending))
    .reduce((sum, columns) => sum + (Number(columns.at(-1)) || 0), 0)
}
