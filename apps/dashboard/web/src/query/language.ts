import type { QueryLanguage } from './build-query.ts'

/** The language of the query in the address; KQL unless it says `lucene`. */
export function readLanguage(text: string | undefined): QueryLanguage {
  return text === 'lucene' ? 'lucene' : 'kuery'
}

/** The inverse of `readLanguage`; nothing for KQL. */
export function writeLanguage(language: QueryLanguage): string | undefined {
  return language === 'lucene' ? language : undefined
}
