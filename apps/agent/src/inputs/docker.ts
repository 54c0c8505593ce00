import { containerOf } from './docker/container-facts.ts'
import { readContainerLine } from './docker/container-line.ts'
import { type DescribeLine, FileStream } from './file.ts'
import type { InputType } from './input.ts'

const factsMax = 5_000

/**
 * Output of containers: `paths` of Docker's `json-file` logs and podman's `k8s-file` logs, followed as files are. Each piece is an event with the
 * container's id, name and image; a line that the runtime split is marked `partial`. Docker's `journald` driver is read with the journal.
 */
export const dockerInput: InputType = {
  type: 'docker',
  platform: 'linux',
  async run(input, context) {
    await Promise.all(input.streams.map((stream) => new FileStream(stream, context, containerLines()).run()))
  },
}

function containerLines(): DescribeLine {
  const known = new Map<string, ReturnType<typeof containerOf>>()
  const factsOf = (path: string): ReturnType<typeof containerOf> => {
    const facts = known.get(path) ?? containerOf(path)
    if (known.size >= factsMax) known.clear()
    known.set(path, facts)
    return facts
  }
  return ({ text, offset, tags = [] }, path) => {
    const line = readContainerLine(text)
    return {
      message: line?.text ?? text,
      ...(line?.time === undefined ? {} : { '@timestamp': line.time }),
      log: { file: { path }, offset },
      container: factsOf(path),
      ...(line?.stream === undefined ? {} : { stream: line.stream }),
      ...(line?.isPart || tags.length > 0
        ? { tags: [...new Set([...(line?.isPart ? ['partial'] : []), ...tags])] }
        : {}),
    }
  }
}
