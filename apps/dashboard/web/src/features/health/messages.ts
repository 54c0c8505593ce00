/** All words of the health page. */
export const messages = {
  title: 'Health',
  description:
    'The parts of the stack as the dashboard sees them. On the server, ./logstack verify checks all of it and says what to do.',
  parts: 'Parts',
  cluster: 'Search',
  up: 'Up',
  down: 'Down',
  unknown: 'Unknown',
  status: 'Cluster health',
  shards: 'Active shards',
  unassigned: 'Unassigned shards',
  replicaHint:
    'On a single node replicas cannot be assigned. In Dev Tools: PUT _settings {"index.number_of_replicas": 0}',
  indices: 'Indices',
  name: 'Index',
  health: 'Health',
  documents: 'Documents',
  size: 'Size',
} as const
