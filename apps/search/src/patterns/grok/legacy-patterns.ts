import { grokPatterns } from './patterns.ts'

/** What the fields of whole lines are called where `ecs_compatibility` is `disabled`, which it is unless a pipeline says otherwise. */
const commonNames: Readonly<Record<string, string>> = {
  'process.name': 'program',
  'process.pid': 'pid',
  'host.hostname': 'logsource',
  'log.syslog.facility.code': 'facility',
  'log.syslog.priority': 'priority',
  'log.level': 'loglevel',
  'source.address': 'clientip',
  'source.port': 'clientport',
  'client.ip': 'clientip',
  'client.port': 'clientport',
}
const javaNames = {
  'java.log.origin.class.name': 'class',
  'log.origin.function': 'method',
  'log.origin.file.name': 'file',
  'log.origin.file.line': 'line',
  'java.log.origin.thread.name': 'thread',
  message: 'logmessage',
}
const syslogNames = {
  'log.syslog.priority': 'syslog5424_pri',
  'system.syslog.version': 'syslog5424_ver',
  timestamp: 'syslog5424_ts',
  'host.hostname': 'syslog5424_host',
  'process.name': 'syslog5424_app',
  'process.pid': 'syslog5424_proc',
  'event.code': 'syslog5424_msgid',
  'system.syslog.structured_data': 'syslog5424_sd',
  message: 'syslog5424_msg',
}
/** Names of one pattern, before those of all. */
const ownNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  SYSLOG5424PRI: syslogNames,
  SYSLOG5424BASE: syslogNames,
  SYSLOG5424LINE: syslogNames,
  SYSLOGPAMSESSION: {
    'system.auth.pam.module': 'pam_module',
    'system.auth.pam.origin': 'pam_caller',
    'system.auth.pam.session_state': 'pam_session_state',
    'user.name': 'username',
  },
  CRONLOG: { 'user.name': 'user', 'system.cron.action': 'action' },
  COMMONAPACHELOG: {
    'apache.access.user.identity': 'ident',
    'user.name': 'auth',
    'http.request.method': 'verb',
    'url.original': 'request',
    'http.version': 'httpversion',
    'http.response.status_code': 'response',
    'http.response.body.bytes': 'bytes',
  },
  COMBINEDAPACHELOG: { 'http.request.referrer': 'referrer', 'user_agent.original': 'agent' },
  HTTPD24_ERRORLOG: { 'apache.error.module': 'module', 'process.thread.id': 'tid', 'error.code': 'errorcode' },
  JAVASTACKTRACEPART: javaNames,
  CATALINA7_LOG: javaNames,
  CATALINA8_LOG: javaNames,
  POSTGRESQL: { 'user.name': 'user_id', 'postgresql.log.connection_id': 'connection_id', 'event.timezone': 'timezone' },
  REDISMONLOG: {
    'redis.database.id': 'database',
    'client.ip': 'client',
    'client.port': 'port',
    'redis.command.name': 'command',
    'redis.command.args': 'params',
  },
  MONGO3_LOG: { 'log.level': 'severity', 'mongodb.component': 'component', 'mongodb.context': 'context' },
  BIND9_QUERYLOG: {
    'bind.log.category': 'category',
    'bind.log.question.name': 'query',
    'dns.question.name': 'query',
    'dns.question.class': 'queryclass',
    'dns.question.type': 'querytype',
    'bind.log.question.flags': 'queryflags',
    'server.ip': 'dns',
  },
  SQUID3: {
    'squid.request.duration': 'duration',
    'source.address': 'client_address',
    'event.action': 'cache_result',
    'http.response.status_code': 'status_code',
    'http.response.bytes': 'bytes',
    'http.request.method': 'request_method',
    'url.original': 'url',
    'user.name': 'user',
    'squid.hierarchy_code': 'hierarchy_code',
    'destination.address': 'server',
    'http.response.mime_type': 'content_type',
  },
}

/** A pattern with its fields under their old names, which have no types. */
function renamed(name: string, pattern: string): string {
  const names: Readonly<Record<string, string>> = { ...commonNames, ...ownNames[name] }
  return pattern
    .replace(
      /%\{(\w+):([^:}]+)(?::\w+)?\}/gu,
      (_, inner: string, field: string) => `%{${inner}:${names[field] ?? field}}`,
    )
    .replace(/\(\?<([a-z][\w.]*)>/gu, (_, field: string) => `(?<${names[field] ?? field}>`)
}

/** The patterns as `%{NAME}` means them without ECS. */
export const legacyPatterns: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(grokPatterns).map(([name, pattern]) => [name, renamed(name, pattern)]),
)
