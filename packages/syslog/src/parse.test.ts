import { describe, expect, it } from 'vitest'
import { parseSyslog } from './parse.ts'

describe('RFC 5424', () => {
  it('reads header, structured data and message', () => {
    const frame =
      '<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog 77 ID47 [exampleSDID@32473 iut="3" eventSource="App\\"lication\\]"][second@1 a=""] \uFEFFAn application event'
    expect(parseSyslog(frame)).toMatchObject({
      format: 'rfc5424',
      facility: 20,
      severity: 5,
      timestamp: '2003-10-11T22:14:15.003Z',
      hostname: 'mymachine.example.com',
      appName: 'evntslog',
      procId: '77',
      msgId: 'ID47',
      structuredData: { 'exampleSDID@32473': { iut: '3', eventSource: 'App"lication]' }, 'second@1': { a: '' } },
      message: 'An application event',
    })
  })

  it('leaves nil values out', () => {
    const parsed = parseSyslog('<34>1 - - su - - - failed')
    expect(parsed).toMatchObject({ format: 'rfc5424', appName: 'su', message: 'failed' })
    expect(parsed).not.toHaveProperty('hostname')
    expect(parsed).not.toHaveProperty('structuredData')
  })

  it('takes a frame without a message', () => {
    expect(parseSyslog('<34>1 - host app - - -')).toMatchObject({ format: 'rfc5424', hostname: 'host', message: '' })
  })

  it('keeps the text of a frame whose structured data is broken', () => {
    const parsed = parseSyslog('<34>1 - host app - - [x y="1] lost?')
    expect(parsed.format).toBe('rfc3164')
    expect(parsed.message).toContain('lost?')
  })
})

describe('RFC 3164', () => {
  it.each([
    [
      '<38>Nov 21 10:00:00 web1 sshd[4711]: Failed password for root',
      {
        hostname: 'web1',
        appName: 'sshd',
        procId: '4711',
        message: 'Failed password for root',
        facility: 4,
        severity: 6,
      },
    ],
    [
      'Nov  1 10:00:00 web1 CRON[12]: (root) CMD (true)',
      { hostname: 'web1', appName: 'CRON', procId: '12', timestamp: 'Nov  1 10:00:00' },
    ],
    [
      '2026-11-21T10:00:00.123456+01:00 web1 systemd[1]: Started ssh.service',
      { timestamp: '2026-11-21T10:00:00.123456+01:00', hostname: 'web1', appName: 'systemd', procId: '1' },
    ],
    [
      '<13>Nov 21 2026 10:00:00 fw1 : %ASA-6-302013: Built outbound',
      { timestamp: 'Nov 21 2026 10:00:00', hostname: 'fw1' },
    ],
    ['<13>Nov 21 10:00:00 su: bad su', { appName: 'su', message: 'bad su' }],
    ['<13>no time here', { message: 'no time here', facility: 1, severity: 5 }],
    ['<13>Nov 21 10:00:00 web1 kernel: [12.5] eth0: up', { appName: 'kernel', message: '[12.5] eth0: up' }],
  ])('reads %s', (frame, expected) => {
    expect(parseSyslog(frame)).toMatchObject({ format: 'rfc3164', ...expected })
  })

  it('says unknown for text that is neither and keeps all of it', () => {
    expect(parseSyslog('hello world\n')).toEqual({ format: 'unknown', raw: 'hello world', message: 'hello world' })
  })

  it('does not take a priority above 191', () => {
    expect(parseSyslog('<999>x')).toMatchObject({ format: 'unknown', message: '<999>x' })
  })
})
