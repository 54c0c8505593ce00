/** Why a rule file that came through the dashboard may not do what a file on the host may; undefined when it does no such thing. */
export function notFromPeople(given: Readonly<Record<string, unknown>>): string | undefined {
  const text = JSON.stringify(given, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  const named = [given['alert']]
    .flat()
    .flatMap((entry) => (typeof entry === 'object' && entry ? Object.keys(entry) : entry))
  // Whoever may write a rule in search is not therefore somebody on the host.
  if (named.includes('command')) return 'the channel command runs programs, so it is for rule files on the host only'
  const file = ['smtp_auth_file', 'jira_account_file'].find((key) => text.includes(`"${key}"`))
  if (file !== undefined) return `[${file}] reads a file of the host: give it in rules/channels.yml`
  return text.includes('"secret:') ? 'secrets are given in rules/channels.yml, for all rules' : undefined
}
