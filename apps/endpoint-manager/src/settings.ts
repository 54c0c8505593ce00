import { defineSettings, setting } from '@logstack/settings'
import { isTimezone } from '@logstack/syslog'
import { z } from 'zod'

const count = (min: number, max: number) => z.number().int().min(min).max(max)

/** endpoint-manager's settings; `config/endpoint-manager.yml` explains them to the operator. */
export const endpointManagerSettings = defineSettings('endpoint-manager', {
  'agent.events_in_flight_max': setting(count(1_000, 1_000_000), {
    default: 50_000,
    applies: 'live',
    doc: 'Events of agents being decoded and stored at one time; agents above it are asked to wait.',
  }),
  'detections.silence_seconds': setting(count(0, 86_400), {
    default: 600,
    applies: 'live',
    doc: 'How long a detection rule that raised an alert is silent for the same address, user or host.',
  }),
  'vulnerabilities.check_seconds': setting(count(10, 86_400), {
    default: 60,
    applies: 'live',
    doc: 'How often to look whether packages of hosts, or the advisories they are compared with, have changed.',
  }),
  'syslog.queue_events_max': setting(count(100, 1_000_000), {
    default: 200_000,
    applies: 'live',
    doc: 'Messages of syslog, and as many of GELF and Fluent, in memory (and 128 MB of each); when a quarter is full, or 8,000 wait, TCP senders wait; when all is, UDP messages are dropped and counted.',
  }),
  'syslog.message_bytes_max': setting(count(1_024, 1_048_576), {
    default: 65_536,
    applies: 'restart',
    doc: 'A longer syslog message is kept in pieces of this size; one of more than 64 pieces ends its connection.',
  }),
  'syslog.connections_max': setting(count(1, 100_000), {
    default: 1_000,
    applies: 'restart',
    doc: 'TCP senders at one time, of syslog, of GELF and of Fluent each; one that has gone counts until search has room for what it sent.',
  }),
  'wazuh.connections_max': setting(count(1, 100_000), {
    default: 5_000,
    applies: 'live',
    doc: 'Wazuh agents connected at one time; where there are so many, connections that have not proved yet whose they are give way to new ones.',
  }),
  'gelf.message_bytes_max': setting(count(1_024, 67_108_864), {
    default: 2_097_152,
    applies: 'live',
    doc: 'A GELF message over TCP that is longer ends its connection.',
  }),
  'fluent.message_bytes_max': setting(count(1_024, 67_108_864), {
    default: 16_777_216,
    applies: 'live',
    doc: 'A message of the forward protocol that is longer ends its connection.',
  }),
  'syslog.timezone': setting(z.string().refine(isTimezone, 'expected +HH:MM, or a name such as Europe/Berlin'), {
    default: '+00:00',
    applies: 'live',
    doc: 'The zone of syslog times that do not say theirs: an offset, or a name such as Europe/Berlin, which knows summer time.',
  }),
})

export type EndpointManagerSettings = typeof endpointManagerSettings.table
