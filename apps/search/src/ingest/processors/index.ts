import type { ProcessorType } from '../define-processor.ts'
import { appendProcessor } from './append.ts'
import { bytesProcessor } from './bytes.ts'
import { circleProcessor } from './circle.ts'
import { communityIdProcessor } from './community-id.ts'
import { convertProcessor } from './convert.ts'
import { copyProcessor } from './copy.ts'
import { csvProcessor } from './csv.ts'
import { dateProcessor } from './date.ts'
import { dateIndexNameProcessor } from './date-index-name.ts'
import { dissectProcessor } from './dissect.ts'
import { dotExpanderProcessor } from './dot-expander.ts'
import { dropProcessor } from './drop.ts'
import { enrichProcessor } from './enrich.ts'
import { failProcessor } from './fail.ts'
import { fingerprintProcessor } from './fingerprint.ts'
import { foreachProcessor } from './foreach.ts'
import { geoipProcessor, ipLocationProcessor } from './geoip.ts'
import { grokProcessor } from './grok.ts'
import { gsubProcessor } from './gsub.ts'
import { htmlStripProcessor } from './html-strip.ts'
import { joinProcessor } from './join.ts'
import { jsonProcessor } from './json.ts'
import { kvProcessor } from './kv.ts'
import { lowercaseProcessor } from './lowercase.ts'
import { networkDirectionProcessor } from './network-direction.ts'
import { pipelineProcessor } from './pipeline.ts'
import { redactProcessor } from './redact.ts'
import { registeredDomainProcessor } from './registered-domain.ts'
import { removeProcessor } from './remove.ts'
import { removeByPatternProcessor } from './remove-by-pattern.ts'
import { renameProcessor } from './rename.ts'
import { rerouteProcessor } from './reroute.ts'
import { scriptProcessor } from './script.ts'
import { setProcessor } from './set.ts'
import { setSecurityUserProcessor } from './set-security-user.ts'
import { sortProcessor } from './sort.ts'
import { splitProcessor } from './split.ts'
import { terminateProcessor } from './terminate.ts'
import { trimProcessor } from './trim.ts'
import { uppercaseProcessor } from './uppercase.ts'
import { uriPartsProcessor } from './uri-parts.ts'
import { urldecodeProcessor } from './urldecode.ts'
import { userAgentProcessor } from './user-agent.ts'

/** Types that Elasticsearch has, and why they are missing here. */
export const missingProcessors: Readonly<Record<string, string>> = {
  attachment: 'it reads office documents by Apache Tika, which is no part of this search',
  inference: 'there are no models of machine learning here',
}

/** Every type of processor; a pipeline that names another is refused. */
export const processorTypes: readonly ProcessorType[] = [
  appendProcessor,
  bytesProcessor,
  circleProcessor,
  communityIdProcessor,
  convertProcessor,
  copyProcessor,
  csvProcessor,
  dateIndexNameProcessor,
  dateProcessor,
  dissectProcessor,
  dotExpanderProcessor,
  dropProcessor,
  enrichProcessor,
  failProcessor,
  fingerprintProcessor,
  foreachProcessor,
  geoipProcessor,
  grokProcessor,
  gsubProcessor,
  htmlStripProcessor,
  ipLocationProcessor,
  joinProcessor,
  jsonProcessor,
  kvProcessor,
  lowercaseProcessor,
  networkDirectionProcessor,
  pipelineProcessor,
  removeByPatternProcessor,
  redactProcessor,
  registeredDomainProcessor,
  removeProcessor,
  renameProcessor,
  rerouteProcessor,
  scriptProcessor,
  setProcessor,
  setSecurityUserProcessor,
  sortProcessor,
  splitProcessor,
  terminateProcessor,
  trimProcessor,
  uppercaseProcessor,
  uriPartsProcessor,
  urldecodeProcessor,
  userAgentProcessor,
]
