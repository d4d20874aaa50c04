import type { ESTree, VisitorObject } from 'rolldown/utils'
import { METHODS, OPERATORS, otherLiterals, REMOVABLE, RETURNS_ARRAY } from './replacements.ts'

/** One small change of a text: the characters from `start` to `end` become `mutated`. */
export type Change = { readonly kind: string; readonly start: number; readonly end: number; readonly mutated: string }

export type Range = { readonly start: number; readonly end: number }

/** Visits the nodes of a program and tells `add` every change that can be made to it. */
export function changeVisitor(text: string, add: (change: Change) => void): VisitorObject {
  const put = (kind: string, { start, end }: Range, mutated: string) => add({ kind, start, end, mutated })
  const source = ({ start, end }: Range) => text.slice(start, end)

  function swapOperator(kind: string, operator: string, left: Range, right: Range): void {
    const start = left.end + withoutComments(text.slice(left.end, right.start)).indexOf(operator)
    for (const other of OPERATORS[operator] ?? []) put(kind, { start, end: start + operator.length }, other)
  }

  function condition(test: ESTree.Expression): void {
    put('condition', test, 'true')
    put('condition', test, 'false')
    // Comparisons, `&&` and `!` are changed in place.
    if (!/^(Binary|Logical|Unary)/.test(test.type)) put('condition', test, `!(${source(test)})`)
  }

  function returned(value: ESTree.Expression): void {
    if (/^(undefined|null|false|\[\]|void 0)$/.test(source(value))) return
    const method = value.type === 'CallExpression' ? methodName(value)?.name : undefined
    put('return value', value, RETURNS_ARRAY.has(method ?? '') ? '[]' : 'undefined')
  }

  return {
    BinaryExpression(node) {
      if (node.operator === '+' && (isText(node.left) || isText(node.right))) return
      swapOperator('operator', node.operator, node.left, node.right)
    },
    LogicalExpression(node) {
      if (node.operator === '??') put('default removed', { start: node.left.end, end: node.end }, '')
      else swapOperator('operator', node.operator, node.left, node.right)
    },
    AssignmentExpression: (node) => swapOperator('assignment', node.operator, node.left, node.right),
    UpdateExpression(node) {
      put('update', node, source(node).replace(node.operator, node.operator === '++' ? '--' : '++'))
    },
    UnaryExpression(node) {
      if (node.operator === '!' || node.operator === '-') put('sign removed', node, source(node.argument))
    },
    IfStatement: (node) => condition(node.test),
    ConditionalExpression: (node) => condition(node.test),
    WhileStatement: (node) => put('loop skipped', node.test, 'false'),
    ForOfStatement: (node) => put('loop skipped', node.right, '[]'),
    ForStatement(node) {
      if (node.test !== null) put('loop skipped', node.test, 'false')
    },
    ReturnStatement(node) {
      if (node.argument !== null) returned(node.argument)
    },
    ArrowFunctionExpression(node) {
      if (node.body.type !== 'BlockStatement') returned(node.body)
    },
    ExpressionStatement: (node) => put('statement removed', node, ';'),
    ThrowStatement: (node) => put('statement removed', node, ';'),
    ContinueStatement: (node) => put('statement removed', node, ';'),
    ArrayExpression(node) {
      if (node.elements.length > 0) put('array emptied', node, '[]')
    },
    TemplateLiteral: (node) => put('text', node, '``'),
    Literal(node) {
      for (const mutated of otherLiterals(node)) put(typeof node.value === 'string' ? 'text' : 'value', node, mutated)
    },
    CallExpression(node) {
      if (node.optional) put('optional chaining', question(node.callee.end), '')
      const method = methodName(node)
      if (method === undefined) return
      const other = METHODS.get(method.name)
      if (other !== undefined) put('method', method, other)
      if (REMOVABLE.has(method.name)) put('call removed', { start: method.objectEnd, end: node.end }, '')
    },
    MemberExpression(node) {
      if (node.optional) put('optional chaining', question(node.object.end), node.computed ? '' : '.')
    },
  }

  /** The `?.` after a node, which may be on the next line. */
  function question(from: number): Range {
    const start = text.indexOf('?.', from)
    return { start, end: start + 2 }
  }
}

/** The name of the method that is called, its place, and where its object ends. */
export function methodName(call: ESTree.CallExpression): (Range & { name: string; objectEnd: number }) | undefined {
  const { callee } = call
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return undefined
  const { name, start, end } = callee.property
  return { name, start, end, objectEnd: callee.object.end }
}

function isText(node: { readonly type: string; readonly value?: unknown }): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, (comment) => ' '.repeat(comment.length))
}
