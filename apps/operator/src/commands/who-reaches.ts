/** Who does not reach a stack that has this address, and the way on; undefined where other hosts do. */
export function whoReaches(address: string): string | undefined {
  if (!/^(127\.|::1$)/.test(address)) return undefined
  return `only this machine reaches ${address}; for other hosts first: ./logstack down && ./logstack up --detach --ip ADDRESS`
}
