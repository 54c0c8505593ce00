const loopback = /^(localhost|127\.[\d.]+|\[::1\])$/

/**
 * Where an agent sends: the endpoint-managers of its policy, whose addresses are those that other hosts use. One that checks in over loopback is on the
 * stack's own machine, which may not reach itself by such an address (behind address translation, or after it got another one): it tries loopback first.
 */
export function outputHosts(hosts: readonly string[], agentServerUrl: string): string[] {
  const { hostname } = new URL(agentServerUrl)
  if (!loopback.test(hostname)) return [...hosts]
  const near = hosts.map((host) => {
    const url = new URL(host)
    url.hostname = hostname
    return url.origin
  })
  return [...new Set([...near, ...hosts])]
}
