import { defineSettings, setting } from '@logstack/settings'
import { z } from 'zod'
import { auditEvents, auditedByDefault } from './model/audit-events.ts'

const count = (min: number, max: number) => z.number().int().min(min).max(max)
const mebibyte = 1024 ** 2
/** A list, or in the environment a text with commas. */
const names = z
  .union([z.string().transform((text) => text.split(',')), z.array(z.string())])
  .pipe(z.array(z.enum(auditEvents)))
const folders = z.union([
  z.string().transform((text) => text.split(',').filter((folder) => folder !== '')),
  z.array(z.string().min(1)),
])

/** search's settings; `config/search.yml` explains them to the operator. */
export const searchSettings = defineSettings('search', {
  'http.body_bytes_max': setting(count(mebibyte, 2048 * mebibyte), {
    default: 100 * mebibyte,
    applies: 'restart',
    doc: 'The largest body of a request that brings documents, before and after it is unpacked.',
  }),
  'http.request_time_ms_max': setting(count(1_000, 86_400_000), {
    default: 900_000,
    applies: 'restart',
    doc: 'A request that runs longer than this is ended.',
  }),
  'http.gzip_bytes_min': setting(count(0, 100 * mebibyte), {
    default: 2048,
    applies: 'restart',
    doc: 'Answers of at least this size are compressed for clients that ask for it.',
  }),
  'engine.search_sessions': setting(count(1, 64), {
    default: 4,
    applies: 'restart',
    doc: 'How many searches run at the same time; further ones wait.',
  }),
  'engine.search_time_ms_max': setting(count(100, 3_600_000), {
    default: 30_000,
    applies: 'restart',
    doc: 'A search that runs longer than this is ended.',
  }),
  'engine.search_memory_bytes_max': setting(count(16 * mebibyte, 1024 * 1024 * mebibyte), {
    default: 1024 * mebibyte,
    applies: 'restart',
    doc: 'The most memory that one search may use. Buckets beyond a third of it are kept in files of up to four times as much meanwhile.',
  }),
  'path.repo': setting(folders, {
    default: ['snapshots'],
    applies: 'restart',
    doc: 'Folders below which repositories of snapshots may be, relative ones in the directory of search’s data.',
  }),
  'reindex.remote.whitelist': setting(folders, {
    default: [],
    applies: 'restart',
    doc: 'Other clusters that documents may be copied from, as host:port, with stars.',
  }),
  'reindex.ssl.certificate_authorities': setting(folders, {
    default: [],
    applies: 'restart',
    doc: 'Files (PEM) of the authorities of such clusters, beside the system’s; relative ones in the directory of search’s data.',
  }),
  's3.client.default.endpoint': setting(z.union([z.literal(''), z.url({ protocol: /^https?$/u })]), {
    default: '',
    applies: 'restart',
    doc: 'The S3-compatible store of repositories of type s3, as https://host; empty: none.',
  }),
  's3.client.default.region': setting(z.string().min(1), {
    default: 'us-east-1',
    applies: 'restart',
    doc: 'The region that requests to that store are signed for.',
  }),
  's3.client.default.path_style_access': setting(z.boolean(), {
    default: false,
    applies: 'restart',
    doc: 'Whether buckets are named in the path instead of the host’s name, as most stores but Amazon’s want it.',
  }),
  's3.client.default.credentials_file': setting(z.string(), {
    default: '',
    applies: 'restart',
    doc: 'The file with the keys for that store, in the form of ~/.aws/credentials; relative ones in the directory of search’s data.',
  }),
  's3.client.default.certificate_authorities': setting(folders, {
    default: [],
    applies: 'restart',
    doc: 'Files (PEM) of the authorities of that store, beside the system’s; relative ones in the directory of search’s data.',
  }),
  'security.token_lifetime_ms': setting(count(60_000, 3_600_000), {
    default: 1_200_000,
    applies: 'restart',
    doc: 'How long a session token is good for; it can be refreshed.',
  }),
  'security.refresh_lifetime_ms': setting(count(60_000, 30 * 86_400_000), {
    default: 86_400_000,
    applies: 'restart',
    doc: 'How long a session token can be refreshed.',
  }),
  'security.audit.enabled': setting(z.boolean(), {
    default: true,
    applies: 'restart',
    doc: 'Whether logins that failed, refusals and changes of users and roles are written to audit/audit.json of search’s data.',
  }),
  'security.audit.events': setting(names, {
    default: [...auditedByDefault],
    applies: 'restart',
    doc: `Which events are written, of ${auditEvents.join(', ')}; the cluster setting xpack.security.audit.logfile.events.include says otherwise while search runs.`,
  }),
  'security.audit.file_bytes_max': setting(count(64 * 1024, 1024 * mebibyte), {
    default: 16 * mebibyte,
    applies: 'restart',
    doc: 'The size from which on the next audit file is begun.',
  }),
  'security.audit.files_max': setting(count(2, 100), {
    default: 8,
    applies: 'restart',
    doc: 'How many audit files are kept, the oldest goes first.',
  }),
})

export type SearchSettings = typeof searchSettings.table
