/** The Elasticsearch field types the stack's own mappings use. */
export type EcsFieldType = 'boolean' | 'date' | 'double' | 'geo_point' | 'ip' | 'keyword' | 'long' | 'match_only_text'

/** One field: its dotted name and its type. */
export interface EcsField {
  readonly name: string
  readonly type: EcsFieldType
}

const namesByType: Readonly<Record<EcsFieldType, string>> = {
  boolean: 'process.interactive user.changes.enabled',
  date: `@timestamp event.created event.end event.ingested event.start file.created file.ctime file.mtime package.installed
    process.start process.end process.parent.start winlog.time_created winlog.event_data.NewTime winlog.event_data.PreviousTime
    vulnerability.detected_at vulnerability.published_at`,
  double: `event.risk_score event.risk_score_norm host.cpu.usage system.cpu.total.norm.pct system.cpu.user.norm.pct
    system.cpu.system.norm.pct system.cpu.iowait.norm.pct system.cpu.idle.norm.pct system.load.1 system.load.5 system.load.15
    system.load.norm.1 system.memory.used.pct system.memory.actual.used.pct system.memory.swap.used.pct
    system.filesystem.used.pct system.process.cpu.total.pct vulnerability.score.base`,
  geo_point:
    'client.geo.location destination.geo.location host.geo.location observer.geo.location server.geo.location source.geo.location',
  ip: `client.ip client.nat.ip destination.ip destination.nat.ip dns.resolved_ip host.ip network.forwarded_ip observer.ip
    related.ip server.ip server.nat.ip source.ip source.nat.ip`,
  keyword: `agent.build.original agent.ephemeral_id agent.id agent.name agent.type agent.version
    client.address client.domain client.mac client.user.name
    container.id container.image.name container.image.tag container.name container.runtime
    data_stream.dataset data_stream.namespace data_stream.type
    destination.address destination.as.organization.name destination.domain destination.geo.city_name
    destination.geo.country_iso_code destination.geo.country_name destination.mac destination.user.name
    dns.id dns.op_code dns.question.class dns.question.name dns.question.registered_domain dns.question.type
    dns.response_code dns.type ecs.version error.code error.id error.type
    event.action event.agent_id_status event.category event.code event.dataset event.hash event.id event.kind event.module
    event.outcome event.provider event.reason event.reference event.timezone event.type
    file.directory file.extension file.gid file.group file.hash.md5 file.hash.sha1 file.hash.sha256 file.inode file.mode
    file.name file.owner file.path file.target_path file.type file.uid
    group.domain group.id group.name
    host.architecture host.domain host.hostname host.id host.mac host.name host.os.codename host.os.family host.os.full
    host.os.kernel host.os.name host.os.platform host.os.type host.os.version host.type host.boot.id
    http.request.id http.request.method http.request.mime_type http.request.referrer http.response.mime_type http.version
    log.file.path log.level log.logger log.origin.file.name log.origin.function log.syslog.appname
    log.syslog.facility.name log.syslog.hostname log.syslog.msgid log.syslog.procid log.syslog.severity.name log.syslog.version
    network.application network.community_id network.direction network.iana_number network.name network.protocol
    network.transport network.type network.vlan.id
    observer.egress.interface.name observer.hostname observer.ingress.interface.name observer.mac observer.name
    observer.product observer.serial_number observer.type observer.vendor observer.version
    organization.id organization.name package.architecture package.name package.type package.version
    process.args process.command_line process.entity_id process.executable process.hash.md5 process.hash.sha1
    process.hash.sha256 process.name process.parent.args process.parent.command_line process.parent.entity_id
    process.parent.executable process.parent.name process.title process.user.id process.user.name process.working_directory
    registry.data.strings registry.data.type registry.hive registry.key registry.path registry.value
    related.hash related.hosts related.user rule.category rule.description rule.id rule.name rule.reference rule.ruleset
    server.address server.domain server.user.name
    service.id service.name service.state service.type service.version
    source.address source.as.organization.name source.domain source.geo.city_name source.geo.country_iso_code
    source.geo.country_name source.mac source.user.name
    system.auth.ssh.event system.auth.ssh.method system.auth.ssh.signature system.auth.sudo.command system.auth.sudo.error
    system.auth.sudo.pwd system.auth.sudo.tty system.filesystem.device_name system.filesystem.mount_point
    system.filesystem.type system.network.name systemd.cgroup systemd.transport systemd.unit
    tags threat.framework threat.tactic.id threat.tactic.name threat.technique.id threat.technique.name
    tls.cipher tls.client.server_name tls.server.subject tls.version trace.id transaction.id
    url.domain url.extension url.fragment url.full url.original url.path url.query url.scheme url.username
    user.domain user.effective.id user.effective.name user.email user.full_name user.group.id user.group.name user.id
    user.name user.roles user.target.domain user.target.group.id user.target.group.name user.target.id user.target.name
    user_agent.device.name user_agent.name user_agent.original user_agent.os.name user_agent.version vulnerability.id
    winlog.activity_id winlog.api winlog.channel winlog.computer_name winlog.event_id winlog.keywords winlog.level
    winlog.logon.id winlog.logon.type winlog.opcode winlog.outcome winlog.provider_guid winlog.provider_name
    winlog.record_id winlog.related_activity_id winlog.task winlog.trustType winlog.user.domain winlog.user.identifier
    winlog.user.name winlog.user.type`,
  long: `client.bytes client.packets client.port destination.as.number destination.bytes destination.packets destination.port
    event.duration event.sequence event.severity file.size group.gid
    host.disk.read.bytes host.disk.write.bytes host.network.egress.bytes host.network.egress.packets
    host.network.ingress.bytes host.network.ingress.packets host.uptime
    http.request.body.bytes http.request.bytes http.response.body.bytes http.response.bytes http.response.status_code
    log.offset logstack.input.lost logstack.source.clock_offset_ms logstack.source.events logstack.source.lag_ms logstack.source.lag_ms_min logstack.source.unparsed log.origin.file.line log.syslog.facility.code log.syslog.priority log.syslog.severity.code
    network.bytes network.packets package.size process.exit_code process.parent.pid process.pgid process.pid process.thread.id
    server.bytes server.packets server.port source.as.number source.bytes source.packets source.port
    system.auth.ssh.dropped_ip.port system.cpu.cores system.filesystem.available system.filesystem.files
    system.filesystem.free system.filesystem.free_files system.filesystem.total system.filesystem.used.bytes system.load.cores
    system.memory.actual.free system.memory.actual.used.bytes system.memory.free system.memory.swap.free
    system.memory.swap.total system.memory.swap.used.bytes system.memory.total system.memory.used.bytes
    system.network.in.bytes system.network.in.dropped system.network.in.errors system.network.in.packets
    system.network.out.bytes system.network.out.dropped system.network.out.errors system.network.out.packets
    system.process.memory.rss.bytes
    system.uptime.duration.ms url.port winlog.process.pid winlog.process.thread.id winlog.version`,
  match_only_text: 'message error.message error.stack_trace',
}

const isType = (type: string): type is EcsFieldType => type in namesByType

/** Every field the stack's own mappings name (Elastic Common Schema 8 and the `system`, `winlog` modules' fields), sorted by name. */
export const ecsFields: readonly EcsField[] = Object.entries(namesByType)
  .flatMap(([type, names]) =>
    isType(type)
      ? names
          .trim()
          .split(/\s+/)
          .map((name) => ({ name, type }))
      : [],
  )
  .sort((a, b) => (a.name < b.name ? -1 : 1))

/** The version of the Elastic Common Schema that `ecs.version` says. */
export const ecsVersion = '8.17.0'

const typeByName = new Map(ecsFields.map((field) => [field.name, field.type]))

/** The type of a field by its dotted name; undefined for a field that is mapped when first seen. */
export function fieldTypeOf(name: string): EcsFieldType | undefined {
  return typeByName.get(name)
}
