import { defineSettings, setting } from '@logstack/settings'
import { z } from 'zod'

const mebibyte = 1024 * 1024

const pathList = z
  .union([z.string().transform((text) => text.split(':').filter(Boolean)), z.array(z.string())])
  .refine((paths) => paths.every((path) => path.startsWith('/')), 'paths are absolute')

/** What this host's administrator decides for its agent; everything else comes with the policy. */
export const agentSettings = defineSettings('agent', {
  extra_log_paths: setting<string[]>(pathList as z.ZodType<string[]>, {
    default: [],
    applies: 'restart',
    doc: 'More files to follow on this host: absolute patterns, joined by colons.',
  }),
  'spool.bytes_max': setting(z.number().int().min(mebibyte), {
    default: 512 * mebibyte,
    applies: 'restart',
    doc: 'Events on disk while the server is away; when it is full, inputs wait and nothing is dropped.',
  }),
  'spool.segment_bytes_max': setting(z.number().int().min(4096), {
    default: 8 * mebibyte,
    applies: 'restart',
    doc: 'Size of one file of the spool.',
  }),
  'batch.records_max': setting(z.number().int().min(1).max(10_000), {
    default: 2000,
    applies: 'restart',
    doc: 'Events in one request.',
  }),
  'batch.bytes_max': setting(z.number().int().min(1024), {
    default: 2 * mebibyte,
    applies: 'restart',
    doc: 'Bytes of events in one request, before compression.',
  }),
})

export type AgentSettings = typeof agentSettings.table
