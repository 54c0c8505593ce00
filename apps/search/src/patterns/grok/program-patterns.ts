/** Patterns for whole lines of well-known programs, by the names others have for them; fields are those of ECS. Written for this project. */
export const programPatterns: Readonly<Record<string, string>> = {
  // Syslog
  SYSLOG5424PRINTASCII: '[!-~]+',
  SYSLOG5424PRI: '<%{NONNEGINT:log.syslog.priority:int}>',
  SYSLOG5424SD: '(?:\\[(?:[^\\]\\\\"]|"(?:[^"\\\\]|\\\\.)*")*\\])+',
  SYSLOG5424BASE:
    '%{SYSLOG5424PRI}%{NONNEGINT:system.syslog.version} +(?:-|%{TIMESTAMP_ISO8601:timestamp}) +(?:-|%{IPORHOST:host.hostname}) +(?:-|%{SYSLOG5424PRINTASCII:process.name}) +(?:-|%{POSINT:process.pid:int}|%{SYSLOG5424PRINTASCII}) +(?:-|%{SYSLOG5424PRINTASCII:event.code}) +(?:-|%{SYSLOG5424SD:system.syslog.structured_data})',
  SYSLOG5424LINE: '%{SYSLOG5424BASE}(?: +%{GREEDYDATA:message})?',
  SYSLOGBASE2:
    '(?:%{SYSLOGTIMESTAMP:timestamp}|%{TIMESTAMP_ISO8601:timestamp})(?: %{SYSLOGFACILITY})?(?: %{SYSLOGHOST:host.hostname})?(?: %{SYSLOGPROG}:)?',
  SYSLOGLINE: '%{SYSLOGBASE2} %{GREEDYDATA:message}',
  SYSLOGPAMSESSION:
    '%{SYSLOGBASE} (?=%{GREEDYDATA:message})%{WORD:system.auth.pam.module}\\(%{DATA:system.auth.pam.origin}\\): session %{WORD:system.auth.pam.session_state} for user %{USERNAME:user.name}(?:\\(uid=\\d+\\))?(?: by %{GREEDYDATA})?',
  CRON_ACTION: '[A-Z ]+',
  CRONLOG: '%{SYSLOGBASE} \\(%{USER:user.name}\\) %{CRON_ACTION:system.cron.action} \\(%{DATA:message}\\)$',
  // Web servers and proxies
  HTTPD20_ERRORLOG:
    '\\[%{HTTPDERROR_DATE:timestamp}\\] \\[%{LOGLEVEL:log.level}\\] (?:\\[client %{IPORHOST:source.address}\\] )?%{GREEDYDATA:message}',
  HTTPD24_ERRORLOG:
    '\\[%{HTTPDERROR_DATE:timestamp}\\] \\[(?:%{WORD:apache.error.module})?:%{WORD:log.level}\\] \\[pid %{POSINT:process.pid:int}(?::tid %{INT:process.thread.id:int})?\\](?: \\[client %{IPORHOST:source.address}(?::%{POSINT:source.port:int})?\\])?(?: (?<error.code>[A-Z]+\\d+):)? %{GREEDYDATA:message}',
  HTTPD_ERRORLOG: '(?:%{HTTPD24_ERRORLOG}|%{HTTPD20_ERRORLOG})',
  HAPROXYTIME: '(?<![0-9])%{HOUR}:%{MINUTE}:%{SECOND}(?![0-9])',
  HAPROXYDATE: '%{MONTHDAY}/%{MONTH}/%{YEAR}:%{HAPROXYTIME}',
  SQUID3:
    '%{NUMBER:timestamp} +%{INT:squid.request.duration:int} %{IPORHOST:source.address} %{WORD:event.action}/(?:-|0+|%{POSINT:http.response.status_code:int}) %{INT:http.response.bytes:int} %{WORD:http.request.method} %{NOTSPACE:url.original} (?:-|%{NOTSPACE:user.name}) %{WORD:squid.hierarchy_code}/(?:-|%{IPORHOST:destination.address}) (?:-|%{NOTSPACE:http.response.mime_type})',
  // Java
  JAVATHREAD: '(?:[A-Z]{2}-Processor\\d+)',
  JAVALOGMESSAGE: '(?:.*)',
  CATALINA7_DATESTAMP: '%{MONTH} %{MONTHDAY}, %{YEAR} %{HOUR}:%{MINUTE}:%{SECOND} (?:AM|PM)',
  CATALINA8_DATESTAMP: '%{MONTHDAY}-%{MONTH}-%{YEAR} %{HOUR}:%{MINUTE}:%{SECOND}',
  CATALINA_DATESTAMP: '(?:%{CATALINA8_DATESTAMP}|%{CATALINA7_DATESTAMP})',
  CATALINA7_LOG:
    '%{CATALINA7_DATESTAMP:timestamp} %{JAVACLASS:java.log.origin.class.name}(?: %{JAVAMETHOD:log.origin.function})?\\s*(?:%{LOGLEVEL:log.level}:)? %{JAVALOGMESSAGE:message}',
  CATALINA8_LOG:
    '%{CATALINA8_DATESTAMP:timestamp} %{LOGLEVEL:log.level} \\[%{DATA:java.log.origin.thread.name}\\] %{JAVACLASS:java.log.origin.class.name}\\.%{JAVAMETHOD:log.origin.function} %{JAVALOGMESSAGE:message}',
  CATALINALOG: '(?:%{CATALINA8_LOG}|%{CATALINA7_LOG})',
  // Databases
  POSTGRESQL:
    '%{DATESTAMP:timestamp} %{TZ:event.timezone} %{DATA:user.name} %{GREEDYDATA:postgresql.log.connection_id} %{POSINT:process.pid:int}',
  REDISTIMESTAMP: '%{MONTHDAY} %{MONTH} %{TIME}',
  REDISLOG: '\\[%{POSINT:process.pid:int}\\] %{REDISTIMESTAMP:timestamp} \\* ',
  REDISMONLOG:
    '%{NUMBER:timestamp} \\[%{INT:redis.database.id} %{IP:client.ip}:%{POSINT:client.port:int}\\] "%{WORD:redis.command.name}"\\s?%{GREEDYDATA:redis.command.args}',
  MONGO3_SEVERITY: '\\w',
  MONGO3_COMPONENT: '%{WORD}',
  MONGO3_LOG:
    '%{TIMESTAMP_ISO8601:timestamp} %{MONGO3_SEVERITY:log.level} (?:-|%{MONGO3_COMPONENT:mongodb.component}) +(?:\\[%{DATA:mongodb.context}\\])? %{GREEDYDATA:message}',
  // Names
  BIND9_TIMESTAMP: '%{MONTHDAY}-%{MONTH}-%{YEAR} %{TIME}',
  BIND9_DNSTYPE: '(?:[A-Z][A-Z0-9-]*)',
  BIND9_CATEGORY: '(?:queries)',
  BIND9_QUERYLOG:
    '%{BIND9_TIMESTAMP:timestamp} (?:%{BIND9_CATEGORY:bind.log.category}: )?(?:%{LOGLEVEL:log.level}: )?client(?: @(?:0x[0-9A-Fa-f]+))? %{IP:client.ip}#%{POSINT:client.port:int} \\(%{GREEDYDATA:bind.log.question.name}\\): query: %{GREEDYDATA:dns.question.name} (?<dns.question.class>IN) %{BIND9_DNSTYPE:dns.question.type} %{NOTSPACE:bind.log.question.flags} \\(%{IP:server.ip}\\)',
  BIND9: '%{BIND9_QUERYLOG}',
}
