import { expect, test } from 'vitest'
import { compileGrok } from './compile-grok.ts'
import { grokPatterns } from './patterns.ts'

const fault = (reason: string): Error => new Error(reason)

/** The fields of a line that a pattern fits as a whole. */
function fields(name: string, text: string): unknown {
  const found = compileGrok(`^%{${name}}$`, grokPatterns, fault).match(text)
  return found && Object.fromEntries(found.map(({ field, values }) => [field, values[0]]))
}

// What expressions written for others name most.
const wellKnown =
  `USERNAME USER EMAILLOCALPART EMAILADDRESS INT BASE10NUM NUMBER BASE16NUM BASE16FLOAT POSINT NONNEGINT WORD NOTSPACE SPACE DATA
  GREEDYDATA GREEDYMULTILINE QUOTEDSTRING QS UUID URN MAC CISCOMAC WINDOWSMAC COMMONMAC IPV6 IPV4 IP HOSTNAME IPORHOST HOSTPORT PATH UNIXPATH TTY
  WINPATH URIPROTO URIHOST URIPATH URIQUERY URIPARAM URIPATHPARAM URI MONTH MONTHNUM MONTHNUM2 MONTHDAY DAY YEAR HOUR MINUTE SECOND TIME DATE_US
  DATE_EU ISO8601_TIMEZONE ISO8601_SECOND TIMESTAMP_ISO8601 DATE DATESTAMP TZ DATESTAMP_RFC822 DATESTAMP_RFC2822 DATESTAMP_OTHER
  DATESTAMP_EVENTLOG SYSLOGTIMESTAMP PROG SYSLOGPROG SYSLOGHOST SYSLOGFACILITY HTTPDATE SYSLOGBASE LOGLEVEL HTTPDUSER HTTPDERROR_DATE
  HTTPD_COMMONLOG HTTPD_COMBINEDLOG HTTPD20_ERRORLOG HTTPD24_ERRORLOG HTTPD_ERRORLOG COMMONAPACHELOG COMBINEDAPACHELOG SYSLOG5424PRINTASCII
  SYSLOGBASE2 SYSLOGPAMSESSION CRON_ACTION CRONLOG SYSLOGLINE SYSLOG5424PRI SYSLOG5424SD SYSLOG5424BASE SYSLOG5424LINE JAVACLASS JAVAFILE
  JAVAMETHOD JAVASTACKTRACEPART JAVATHREAD JAVALOGMESSAGE CATALINA_DATESTAMP CATALINALOG REDISTIMESTAMP REDISLOG REDISMONLOG MONGO3_LOG
  POSTGRESQL BIND9_TIMESTAMP BIND9 SQUID3 HAPROXYTIME HAPROXYDATE`.split(/\s+/u)

test('the well-known names are there', () => {
  expect(wellKnown.filter((name) => !Object.hasOwn(grokPatterns, name))).toEqual([])
})

test.each([
  ['BASE16NUM', '0x1F'],
  ['BASE16FLOAT', '0x1F.8'],
  ['POSINT', '7'],
  ['NONNEGINT', '0'],
  ['CISCOMAC', '001a.2b3c.4d5e'],
  ['WINDOWSMAC', '00-1A-2B-3C-4D-5E'],
  ['HOSTPORT', 'example.org:443'],
  ['UNIXPATH', '/var/log/a_b.log'],
  ['TTY', '/dev/pts/0'],
  ['URN', 'urn:isbn:0451450523'],
  ['URIPATHPARAM', '/a/b?c=d&e'],
  ['MONTH', 'September'],
  ['DAY', 'Wed'],
  ['DATE_US', '11/22/2026'],
  ['DATE_EU', '22.11.2026'],
  ['DATESTAMP', '22-11-2026 10:11:12'],
  ['DATESTAMP_RFC2822', 'Sun, 22 Nov 2026 10:11:12 +0100'],
  ['DATESTAMP_OTHER', 'Sun Nov 22 10:11:12 UTC 2026'],
  ['DATESTAMP_EVENTLOG', '20261122101112'],
  ['HTTPDERROR_DATE', 'Sun Nov 22 10:11:12.123456 2026'],
  ['ISO8601_TIMEZONE', '+01:00'],
  ['JAVACLASS', 'org.example.Main$Inner'],
  ['JAVAFILE', 'Main.java'],
  ['CATALINA_DATESTAMP', 'Nov 22, 2026 10:11:12 AM'],
  ['CATALINA_DATESTAMP', '22-Nov-2026 10:11:12.123'],
  ['HAPROXYDATE', '22/Nov/2026:10:11:12.123'],
  ['REDISTIMESTAMP', '22 Nov 10:11:12'],
  ['SYSLOG5424SD', '[a@1 b="c]d"][e@2]'],
])('%s fits %s', (name, text) => {
  expect(fields(name, text)).toEqual({})
})

test.each<[string, string, Record<string, unknown>]>([
  [
    'SYSLOG5424LINE',
    '<34>1 2026-11-22T10:11:12.003Z web1 su - ID47 [x@1 a="b"] failed for ada',
    {
      'log.syslog.priority': 34,
      'system.syslog.version': '1',
      timestamp: '2026-11-22T10:11:12.003Z',
      'host.hostname': 'web1',
      'process.name': 'su',
      'event.code': 'ID47',
      'system.syslog.structured_data': '[x@1 a="b"]',
      message: 'failed for ada',
    },
  ],
  [
    'SYSLOGLINE',
    'Nov  2 10:11:12 web1 sshd[811]: hello',
    {
      timestamp: 'Nov  2 10:11:12',
      'host.hostname': 'web1',
      'process.name': 'sshd',
      'process.pid': 811,
      message: 'hello',
    },
  ],
  [
    'SYSLOGPAMSESSION',
    'Nov  2 10:11:12 web1 sshd[811]: pam_unix(sshd:session): session opened for user ada(uid=1000) by (uid=0)',
    {
      timestamp: 'Nov  2 10:11:12',
      'host.hostname': 'web1',
      'process.name': 'sshd',
      'process.pid': 811,
      message: 'pam_unix(sshd:session): session opened for user ada(uid=1000) by (uid=0)',
      'system.auth.pam.module': 'pam_unix',
      'system.auth.pam.origin': 'sshd:session',
      'system.auth.pam.session_state': 'opened',
      'user.name': 'ada',
    },
  ],
  [
    'CRONLOG',
    'Nov 22 10:11:12 web1 CRON[811]: (root) CMD (run-parts /etc/cron.hourly)',
    {
      timestamp: 'Nov 22 10:11:12',
      'host.hostname': 'web1',
      'process.name': 'CRON',
      'process.pid': 811,
      'user.name': 'root',
      'system.cron.action': 'CMD',
      message: 'run-parts /etc/cron.hourly',
    },
  ],
  [
    'HTTPD_ERRORLOG',
    '[Sun Nov 22 10:11:12.123456 2026] [authz_core:error] [pid 8:tid 9] [client 203.0.113.9:51234] AH01630: client denied',
    {
      timestamp: 'Sun Nov 22 10:11:12.123456 2026',
      'apache.error.module': 'authz_core',
      'log.level': 'error',
      'process.pid': 8,
      'process.thread.id': 9,
      'source.address': '203.0.113.9',
      'source.port': 51_234,
      'error.code': 'AH01630',
      message: 'client denied',
    },
  ],
  [
    'CATALINALOG',
    '22-Nov-2026 10:11:12.123 INFO [main] org.example.Main.start Server startup',
    {
      timestamp: '22-Nov-2026 10:11:12.123',
      'log.level': 'INFO',
      'java.log.origin.thread.name': 'main',
      'java.log.origin.class.name': 'org.example.Main',
      'log.origin.function': 'start',
      message: 'Server startup',
    },
  ],
  [
    'REDISMONLOG',
    '1795317932.123456 [0 127.0.0.1:51234] "GET" "key"',
    {
      timestamp: '1795317932.123456',
      'redis.database.id': '0',
      'client.ip': '127.0.0.1',
      'client.port': 51_234,
      'redis.command.name': 'GET',
      'redis.command.args': '"key"',
    },
  ],
  [
    'MONGO3_LOG',
    '2019-11-22T10:11:12.123+0000 I NETWORK  [listener] connection accepted',
    {
      timestamp: '2019-11-22T10:11:12.123+0000',
      'log.level': 'I',
      'mongodb.component': 'NETWORK',
      'mongodb.context': 'listener',
      message: 'connection accepted',
    },
  ],
  [
    'BIND9',
    '22-Nov-2026 10:11:12.123 queries: info: client @0x7f12 203.0.113.9#51234 (example.org): query: example.org IN A +E(0) (192.0.2.53)',
    {
      timestamp: '22-Nov-2026 10:11:12.123',
      'bind.log.category': 'queries',
      'log.level': 'info',
      'client.ip': '203.0.113.9',
      'client.port': 51_234,
      'bind.log.question.name': 'example.org',
      'dns.question.name': 'example.org',
      'dns.question.class': 'IN',
      'dns.question.type': 'A',
      'bind.log.question.flags': '+E(0)',
      'server.ip': '192.0.2.53',
    },
  ],
  [
    'SQUID3',
    '1795317932.123    102 10.0.0.5 TCP_MISS/200 4512 GET http://example.org/ - HIER_DIRECT/203.0.113.10 text/html',
    {
      timestamp: '1795317932.123',
      'squid.request.duration': 102,
      'source.address': '10.0.0.5',
      'event.action': 'TCP_MISS',
      'http.response.status_code': 200,
      'http.response.bytes': 4512,
      'http.request.method': 'GET',
      'url.original': 'http://example.org/',
      'squid.hierarchy_code': 'HIER_DIRECT',
      'destination.address': '203.0.113.10',
      'http.response.mime_type': 'text/html',
    },
  ],
])('%s', (name, line, expected) => {
  expect(fields(name, line)).toEqual(expected)
})
