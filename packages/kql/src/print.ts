import { hasWildcard, type KqlNode, type KqlText, type RangeOperator } from './ast.ts'

const symbols: Readonly<Record<RangeOperator, string>> = { lt: '<', lte: '<=', gt: '>', gte: '>=' }

/** Writes a query that reads back as the same node. */
export function printKql(node: KqlNode): string {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.children.map(printOperand).join(` ${node.kind} `)
    case 'not':
      return `not ${printOperand(node.child)}`
    case 'range':
      return `${printText(node.field)} ${symbols[node.operator]} ${printText(node.value)}`
    case 'nested':
      return `${printText(node.path)}:{ ${printKql(node.child)} }`
    case 'match':
      return node.field ? `${printText(node.field)}: ${printText(node.value)}` : printText(node.value)
  }
}

function printOperand(node: KqlNode): string {
  return node.kind === 'and' || node.kind === 'or' || node.kind === 'not' ? `(${printKql(node)})` : printKql(node)
}

function printText(text: KqlText): string {
  if (text.quoted) return `"${(text.pieces[0] ?? '').replace(/[\\"]/g, '\\$&')}"`
  const escaped = text.pieces.map((piece) => piece.replace(/[\\():<>"*{}]/g, '\\$&').replace(/\s/g, escapeSpace))
  const joined = escaped.join('*')
  return hasWildcard(text) ? joined : joined.replace(/^(and|or|not)$/i, '\\$1')
}

function escapeSpace(space: string): string {
  return `\\u${space.charCodeAt(0).toString(16).padStart(4, '0')}`
}
