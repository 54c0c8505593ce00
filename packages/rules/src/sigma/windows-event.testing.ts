interface RawEvent {
  readonly Event: {
    readonly System: Readonly<Record<string, unknown>>
    readonly EventData?: Readonly<Record<string, unknown>> | null
    readonly UserData?: Readonly<Record<string, unknown>> | null
  }
}

/** A Windows event as its XML reads in JSON, in the form in which Winlogbeat stores it without its ECS modules. For tests. */
export function fromEventLog(raw: unknown): Record<string, unknown> {
  const { System: system, EventData: data, UserData: user } = (raw as RawEvent).Event
  const provider = attribute(system['Provider'], 'Name')
  const inner = user ? Object.values(user).find((value) => typeof value === 'object' && value !== null) : undefined
  return {
    '@timestamp': attribute(system['TimeCreated'], 'SystemTime'),
    event: { code: String(system['EventID']), provider, kind: 'event' },
    host: { name: system['Computer'] },
    winlog: {
      channel: system['Channel'],
      provider_name: provider,
      computer_name: system['Computer'],
      event_id: String(system['EventID']),
      ...(data ? { event_data: data } : {}),
      ...(inner ? { user_data: inner } : {}),
    },
  }
}

function attribute(node: unknown, name: string): unknown {
  const attributes = (node as { readonly '#attributes'?: Readonly<Record<string, unknown>> } | null)?.['#attributes']
  return attributes?.[name]
}

/** A Windows event whose fields all stand side by side, as NXLog and many published recordings write them, in the same form. */
export function fromFlatRecord(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const {
    '@timestamp': time,
    Channel: channel,
    EventID: id,
    Hostname: host,
    SourceName: provider,
    Message: message,
    ...data
  } = record
  return {
    '@timestamp': time,
    event: { code: String(id), provider, kind: 'event' },
    host: { name: host },
    message,
    winlog: { channel, provider_name: provider, computer_name: host, event_id: String(id), event_data: data },
  }
}
