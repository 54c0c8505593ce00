/** All words of the Dev Tools console. */
export const messages = {
  title: 'Dev Tools',
  description:
    'Requests to search, written without the address: GET _cluster/health. Ctrl+Enter sends the one at the cursor, Ctrl+Space completes.',
  editor: 'Requests',
  response: 'Response',
  send: 'Send',
  history: 'History',
  historyEmpty: 'What is sent is listed here.',
  clearHistory: 'Clear the history',
  curl: 'Copy as curl',
  curlCopied: 'Copied',
  sending: 'Sending…',
  none: 'There is no request at the cursor. Begin one with a line such as GET _cluster/health.',
  failed: 'No answer',
  empty: 'The answer appears here.',
  milliseconds: (count: number) => `${count} ms`,
} as const

/** What a new user finds in the editor. */
export const initialText = `# The health of search
GET _cluster/health?filter_path=status,*_shards

# All shards, unassigned ones at the end
GET _cat/shards?v=true&h=index,shard,prirep,state,node,unassigned.reason&s=state

# The newest events
GET logs-*/_search
{
  "size": 5,
  "sort": [{ "@timestamp": "desc" }]
}
`
