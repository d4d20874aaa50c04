import type { ESTree, VisitorObject } from 'rolldown/utils'
import { methodName, type Range } from './changes.ts'

/** Visits what no mutant may change: it has no meaning at run time, or the program could not be loaded at all. */
export function keepVisitor(keep: (range: Range) => void): VisitorObject {
  const keepName = (node: { readonly computed: boolean; readonly key: Range }) => {
    if (!node.computed) keep(node.key)
  }
  return {
    ImportDeclaration: keep,
    ImportExpression: keep,
    ExportAllDeclaration: keep,
    ExportNamedDeclaration(node) {
      if (node.source !== null) keep(node)
    },
    TSTypeAliasDeclaration: keep,
    TSInterfaceDeclaration: keep,
    TSModuleDeclaration: keep,
    TSLiteralType: keep,
    TSTemplateLiteralType: keep,
    TSImportType: keep,
    ExpressionStatement(node) {
      if ('directive' in node && node.directive) keep(node)
    },
    LogicalExpression(node) {
      if (node.operator === '??' && isElement(node.left)) keep({ start: node.left.end, end: node.end })
    },
    MemberExpression(node) {
      if (node.optional && isElement(node.object)) keep({ start: node.object.end, end: node.property.start })
    },
    Property: keepName,
    PropertyDefinition: keepName,
    MethodDefinition: keepName,
  }
}

/** `list[index] ?? 0` is most often there for the type checker, which cannot know that the element exists. */
function isElement(node: ESTree.Expression | ESTree.Super): boolean {
  if (node.type === 'CallExpression') return methodName(node)?.name === 'at'
  return node.type === 'MemberExpression' && node.computed
}
