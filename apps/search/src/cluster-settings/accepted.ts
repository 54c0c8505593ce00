import { boolean, bytes, choice, custom, float, integer, list, memory, type SettingKind, text, time } from './kinds.ts'
import { checkCompilationRate, checkLevel } from './own-forms.ts'

/** A setting that clients of Elasticsearch send and that means nothing to one node with this engine: it is checked, kept and shown. */
export type AcceptedSetting = readonly [kind: SettingKind, standard: string]

const count = integer(0)
const allocation = choice(
  ['all', 'primaries', 'new_primaries', 'none'],
  (_setting, given) => `Illegal allocation.enable value [${given.toUpperCase()}]`,
)
const rebalancing = choice(
  ['all', 'primaries', 'replicas', 'none'],
  (_setting, given) => `Illegal rebalance.enable value [${given.toUpperCase()}]`,
)
const rebalanceWhen = choice(
  ['always', 'indices_primaries_active', 'indices_all_active'],
  (setting, given) => `Illegal value for ${setting}: ${given}`,
)
const masterBlock = choice(
  ['all', 'write', 'metadata_write'],
  (_setting, given) => `invalid no-master block [${given}], must be one of [all, write, metadata_write]`,
)
const noneOrAll = choice(['all', 'none'], (setting, given) => `Illegal value [${given}] for [${setting}]`)
const percentOrBytes = memory

/** Settings of the allocation of shards and of the cluster's own work. */
const cluster: Readonly<Record<string, AcceptedSetting>> = {
  'cluster.auto_shrink_voting_configuration': [boolean, 'true'],
  'cluster.deprecation_indexing.enabled': [boolean, 'true'],
  'cluster.deprecation_indexing.x_opaque_id_used.enabled': [boolean, 'true'],
  'cluster.info.update.interval': [time('10s'), '30s'],
  'cluster.info.update.timeout': [time(), '15s'],
  'cluster.logsdb.enabled': [boolean, 'false'],
  'cluster.max_shards_per_node.frozen': [integer(1), '3000'],
  'cluster.max_voting_config_exclusions': [integer(1), '10'],
  'cluster.no_master_block': [masterBlock, 'metadata_write'],
  'cluster.persistent_tasks.allocation.enable': [noneOrAll, 'all'],
  'cluster.persistent_tasks.allocation.recheck_interval': [time('10s'), '30s'],
  'cluster.routing.allocation.allow_rebalance': [rebalanceWhen, 'always'],
  'cluster.routing.allocation.awareness.attributes': [list, ''],
  'cluster.routing.allocation.balance.disk_usage': [float(0), '2.0E-11'],
  'cluster.routing.allocation.balance.index': [float(0), '0.55'],
  'cluster.routing.allocation.balance.shard': [float(0), '0.45'],
  'cluster.routing.allocation.balance.threshold': [float(1), '1.0'],
  'cluster.routing.allocation.balance.write_load': [float(0), '10.0'],
  'cluster.routing.allocation.cluster_concurrent_rebalance': [integer(-1), '2'],
  'cluster.routing.allocation.disk.reroute_interval': [time(), '60s'],
  'cluster.routing.allocation.disk.watermark.enable_for_single_data_node': [boolean, 'true'],
  'cluster.routing.allocation.disk.watermark.flood_stage.frozen': [percentOrBytes, '95%'],
  'cluster.routing.allocation.disk.watermark.flood_stage.frozen.max_headroom': [bytes, '20gb'],
  'cluster.routing.allocation.enable': [allocation, 'all'],
  'cluster.routing.allocation.node_concurrent_incoming_recoveries': [count, '2'],
  'cluster.routing.allocation.node_concurrent_outgoing_recoveries': [count, '2'],
  'cluster.routing.allocation.node_concurrent_recoveries': [count, '2'],
  'cluster.routing.allocation.node_initial_primaries_recoveries': [count, '4'],
  'cluster.routing.allocation.same_shard.host': [boolean, 'false'],
  'cluster.routing.allocation.total_shards_per_node': [integer(-1), '-1'],
  'cluster.routing.rebalance.enable': [rebalancing, 'all'],
  'cluster.routing.use_adaptive_replica_selection': [boolean, 'true'],
  'cluster.service.slow_master_task_logging_threshold': [time(), '10s'],
  'cluster.service.slow_task_logging_threshold': [time(), '30s'],
  'cluster.snapshot.info.max_concurrent_fetches': [integer(1), '5'],
}

/** Settings of Elasticsearch's indices, breakers and recoveries. */
const indices: Readonly<Record<string, AcceptedSetting>> = {
  'indices.breaker.fielddata.limit': [memory, '40%'],
  'indices.breaker.fielddata.overhead': [float(0), '1.03'],
  'indices.breaker.request.limit': [memory, '60%'],
  'indices.breaker.request.overhead': [float(0), '1.0'],
  'indices.breaker.total.limit': [memory, '95%'],
  'indices.id_field_data.enabled': [boolean, 'false'],
  'indices.lifecycle.rollover.only_if_has_documents': [boolean, 'true'],
  'indices.lifecycle.step.master_timeout': [time(), '30s'],
  'indices.mapping.dynamic_timeout': [time(), '30s'],
  'indices.mapping.max_in_flight_updates': [integer(1, 1000), '10'],
  'indices.recovery.internal_action_long_timeout': [time(), '30m'],
  'indices.recovery.internal_action_timeout': [time(), '15m'],
  'indices.recovery.max_bytes_per_sec': [bytes, '40mb'],
  'indices.recovery.max_concurrent_file_chunks': [integer(1, 8), '2'],
  'indices.recovery.max_concurrent_operations': [integer(1, 4), '1'],
  'indices.recovery.max_concurrent_snapshot_file_downloads': [integer(1, 20), '5'],
  'indices.recovery.max_concurrent_snapshot_file_downloads_per_node': [integer(1, 25), '25'],
  'indices.recovery.recovery_activity_timeout': [time(), '30m'],
  'indices.recovery.retry_delay_network': [time(), '5s'],
  'indices.recovery.retry_delay_state_sync': [time(), '500ms'],
  'indices.recovery.use_snapshots': [boolean, 'true'],
  'network.breaker.inflight_requests.limit': [memory, '100%'],
  'network.breaker.inflight_requests.overhead': [float(0), '2.0'],
}

/** Settings of searches, scripts, snapshots, pipelines and monitoring. */
const others: Readonly<Record<string, AcceptedSetting>> = {
  'data_streams.lifecycle.poll_interval': [time('1s'), '5m'],
  'data_streams.lifecycle.target.merge.policy.floor_segment': [bytes, '100mb'],
  'data_streams.lifecycle.target.merge.policy.merge_factor': [integer(2), '16'],
  'health.periodic_logger.enabled': [boolean, 'false'],
  'health.periodic_logger.poll_interval': [time('15s'), '60s'],
  'health.reporting.local.monitor.interval': [time('10s'), '30s'],
  'http.tracer.exclude': [list, ''],
  'http.tracer.include': [list, ''],
  'ingest.geoip.downloader.eager.download': [boolean, 'false'],
  'ingest.geoip.downloader.enabled': [boolean, 'true'],
  'ingest.geoip.downloader.poll.interval': [time('1d'), '3d'],
  'script.max_compilations_rate': [custom('count/time', checkCompilationRate), '150/5m'],
  'search.aggs.only_allowed_metric_scripts': [boolean, 'false'],
  'search.aggs.rewrite_to_filter_by_filter': [boolean, 'true'],
  'search.default_keep_alive': [time(), '5m'],
  'search.low_level_cancellation': [boolean, 'true'],
  'slm.history_index_enabled': [boolean, 'true'],
  'slm.retention_duration': [time(), '1h'],
  'snapshot.max_concurrent_operations': [integer(1), '1000'],
  'stack.templates.enabled': [boolean, 'true'],
  'transport.tracer.exclude': [list, 'internal:coordination/fault_detection/*'],
  'transport.tracer.include': [list, ''],
  'xpack.monitoring.collection.enabled': [boolean, 'false'],
  'xpack.monitoring.collection.interval': [time('1s'), '10s'],
  'xpack.monitoring.elasticsearch.collection.enabled': [boolean, 'true'],
  'xpack.monitoring.history.duration': [time('1d'), '168h'],
  'xpack.security.audit.logfile.emit_cluster_name': [boolean, 'false'],
  'xpack.security.audit.logfile.emit_cluster_uuid': [boolean, 'true'],
  'xpack.security.audit.logfile.emit_node_host_address': [boolean, 'false'],
  'xpack.security.audit.logfile.emit_node_host_name': [boolean, 'false'],
  'xpack.security.audit.logfile.emit_node_id': [boolean, 'true'],
  'xpack.security.audit.logfile.emit_node_name': [boolean, 'false'],
  'xpack.security.audit.logfile.events.emit_request_body': [boolean, 'false'],
}

/** The settings that are taken and steer nothing, by name. */
export const acceptedSettings: Readonly<Record<string, AcceptedSetting>> = { ...cluster, ...indices, ...others }

/** Families of such settings whose names go on as the user likes; a star in a prefix stands for one word. */
export const acceptedFamilies: readonly (readonly [prefix: string, kind: SettingKind])[] = [
  ['cluster.metadata.', text],
  ['cluster.routing.allocation.awareness.force.', text],
  ['cluster.routing.allocation.exclude.', text],
  ['cluster.routing.allocation.include.', text],
  ['cluster.routing.allocation.require.', text],
  ['logger.', custom('level', checkLevel)],
]
