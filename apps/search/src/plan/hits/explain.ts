import { Double } from '../../json/print-json.ts'
import { type Score, wordsOf } from '../../scores/score.ts'
import { join, num, type Sql, sql } from '../../sql/sql.ts'
import { readDouble } from '../../sql/values.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { type Leaf, leafRows } from '../leaves/leaves.ts'
import type { PlanRead } from '../leaves/plan-read.ts'
import { type LeafScore, scoreLeaf, scoreValue } from '../leaves/score-leaf.ts'
import type { Hit } from './hit.ts'

/** What a document scores and of what that is made, in the shape of Elasticsearch's `_explanation`. */
export interface Explanation {
  readonly value: Double
  readonly description: string
  readonly details: readonly Explanation[]
}

/** Parts of a score that are shown at most. */
const partsMax = 50

/** A score with no parts. */
export function plainExplanation(value: number, description: string): Explanation {
  return { value: new Double(value), description, details: [] }
}

/** Explains the scores of documents by their place in the order of arrival. */
export async function explainLeaf(
  services: PlanServices,
  leaf: Leaf,
  sequences: readonly number[],
  read: PlanRead,
): Promise<ReadonlyMap<number, Explanation>> {
  const parts: Score[] = []
  const { score } = leaf
  if (score) flatten(score, parts)
  const kept = parts.slice(0, partsMax)
  const cells = await Promise.all(
    kept.map(async (part) => cellOf(await scoreLeaf(services, { ...leaf, score: part }, read))),
  )
  const { from, where } = leafRows(services, leaf)
  const wanted = join(
    sequences.map((sequence) => num(sequence)),
    ', ',
  )
  const rows = await services.engine.rows(
    sql`SELECT ${join([sql`_seq`, ...cells], ', ')} FROM ${from} WHERE ${where} AND _seq IN (${wanted})`,
    read,
  )
  return new Map(
    rows.map(([sequence, ...values]) => {
      const worth = (part: Score) => readDouble(values[kept.indexOf(part)] ?? 0)
      return [Number(sequence), score ? explained(score, worth) : plainExplanation(1, '*:*')]
    }),
  )
}

function cellOf(score: LeafScore): Sql {
  return sql`toString(${scoreValue(score)})`
}

function membersOf(score: Score): readonly Score[] {
  if (score.op === 'sum' || score.op === 'max') return score.of
  if (score.op === 'within' && (score.of.op === 'sum' || score.of.op === 'max')) return score.of.of
  return score.op === 'within' || score.op === 'scaled' || score.op === 'functions' ? [score.of] : []
}

function flatten(score: Score, into: Score[]): void {
  into.push(score)
  for (const member of membersOf(score)) flatten(member, into)
}

function explained(score: Score, worth: (part: Score) => number): Explanation {
  const details = membersOf(score)
    .filter((member) => worth(member) !== 0)
    .map((member) => explained(member, worth))
  return { value: new Double(worth(score)), description: describe(score), details }
}

function describe(score: Score): string {
  switch (score.op) {
    case 'constant':
      return score.when.op === 'all' ? '*:*' : 'ConstantScore'
    case 'text':
      return `weight(${
        score.synonyms
          ? `Synonym(${wordsOf(score)
              .map((word) => `${score.field.path}:${word}`)
              .join(' ')})`
          : `${score.field.path}:${score.token}`
      }) [BM25], result of:`
    case 'phrase':
      return `weight(${score.field.path}:"${[...score.tokens, ...(score.start === undefined ? [] : [`${score.start}*`])].join(' ')}") [BM25], result of:`
    case 'near':
      return `weight(${score.field.path}:${score.pattern.text}~${score.pattern.edits ?? 0}) [BM25], result of:`
    case 'counted':
      return `weight(spans of ${score.field.path}) [BM25], result of:`
    case 'saturated':
      return 'weight(intervals), frequency of intervals to itself and one, of:'
    case 'feature':
      return describeFeature(score)
    case 'exact':
      return `weight(${score.field.path}:${String(score.value)}) [BM25], result of:`
    case 'max':
      return score.tie === 0 ? 'max of:' : `max plus ${score.tie} times others of:`
    case 'scaled':
      return `product of the score and ${score.by} where the negative query matches:`
    case 'functions':
      return 'function score, product of:'
    default:
      return 'sum of:'
  }
}

const featureFormulas = {
  linear: ['Linear', 'w * S'],
  log: ['Log', 'w * log(a + S)'],
  saturation: ['Saturation', 'w * S / (S + k)'],
  sigmoid: ['Sigmoid', 'w * S^a / (S^a + k^a)'],
} as const

function describeFeature({ field, shape }: Extract<Score, { readonly op: 'feature' }>): string {
  const [name, formula] = featureFormulas[shape.kind]
  const dot = field.type === 'string' ? field.path.lastIndexOf('.') : -1
  const within = dot < 0 ? '_feature' : field.path.slice(0, dot)
  return `${name} function on the ${within} field for the ${field.path.slice(dot + 1)} feature, computed as ${formula} from:`
}

/** The explanations of hits, each what its leaf says of it; a rescored hit shows both rounds. */
export async function explainHits(
  services: PlanServices,
  hits: readonly Hit[],
  read: PlanRead,
): Promise<ReadonlyMap<Hit, Explanation>> {
  const byLeaf = new Map<Leaf, Hit[]>()
  for (const hit of hits) byLeaf.set(hit.leaf, [...(byLeaf.get(hit.leaf) ?? []), hit])
  const found = new Map<Hit, Explanation>()
  for (const [leaf, members] of byLeaf) {
    const explanations = await explainLeaf(
      services,
      leaf,
      members.map(({ values }) => Number(values.at(-1))),
      read,
    )
    for (const hit of members) {
      const own = explanations.get(Number(hit.values.at(-1))) ?? plainExplanation(hit.score, '*:*')
      // Scores are single floats, their parts are not.
      const again = Math.fround(own.value.value) !== Math.fround(hit.score)
      found.set(hit, again ? { value: new Double(hit.score), description: 'rescored:', details: [own] } : own)
    }
  }
  return found
}
