// Sends log records as an application does that OpenTelemetry's SDK watches: `node opentelemetry-logs.mjs PACKAGES EXPORTER COUNT`. Where to, with
// what password and under which authority is in OpenTelemetry's own environment variables.
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [packages, exporter, count] = process.argv.slice(2)
const load = createRequire(join(packages, 'package.json'))
const { OTLPLogExporter } = load(`@opentelemetry/${exporter}`)
const { BatchLogRecordProcessor, LoggerProvider } = load('@opentelemetry/sdk-logs')
const { resourceFromAttributes } = load('@opentelemetry/resources')
const { SeverityNumber } = load('@opentelemetry/api-logs')

const provider = new LoggerProvider({
  resource: resourceFromAttributes({ 'service.name': 'shop', 'service.version': '1.2.3', 'host.name': 'web1' }),
  processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })],
})
const logger = provider.getLogger('checkout', '0.9')
for (let at = 0; at < Number(count); at += 1) {
  logger.emit({
    timestamp: new Date(Date.UTC(2026, 10, 21, 8, 0, 0, at)),
    severityNumber: at % 2 === 0 ? SeverityNumber.ERROR : SeverityNumber.INFO,
    severityText: at % 2 === 0 ? 'ERROR' : 'INFO',
    body: `order ${at} of ${exporter}`,
    attributes: {
      'order.id': at,
      'order.paid': at % 3 === 0,
      'user.name': `käufer ${at % 7}`,
      'order.items': ['a', 'b'],
    },
  })
}
await provider.forceFlush()
await provider.shutdown()
