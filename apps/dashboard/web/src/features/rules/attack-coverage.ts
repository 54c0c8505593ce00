/** How many rules that run look for each technique, `T1059` → 12; a sub-technique counts for its technique, each rule once. */
export function coverageOf(
  rules: readonly { readonly state: string; readonly tags?: readonly string[] | undefined }[],
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { state, tags = [] } of rules) {
    if (state !== 'running') continue
    const own = new Set(tags.flatMap((tag) => /^attack\.(t\d{4})(?:\.\d{3})?$/iu.exec(tag)?.[1]?.toUpperCase() ?? []))
    for (const technique of own) counts.set(technique, (counts.get(technique) ?? 0) + 1)
  }
  return counts
}
