/** Whether an address may be one of Kibana's: cheap enough to ask of every page that is opened. */
export function looksLikeKibana(path: string, hash: string): boolean {
  return (
    hash.startsWith('#/') ||
    /^\/(s\/|app\/(kibana|home|lens|visualize|security|fleet|monitoring|management\/\w+\/))/.test(path)
  )
}
