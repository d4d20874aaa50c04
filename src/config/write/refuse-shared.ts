import { type Document, isAlias, isNode, type LineCounter, visit } from 'yaml'
import { PithError } from '../../model/problems/errors.ts'

/** The file and the change that a refusal names: `set` or `unset`, and the key. */
export type ConfigChange = {
  readonly file: string
  readonly lines: LineCounter
  readonly verb: 'set' | 'unset'
  readonly key: string
}

/**
 * Refuses to change a value that an alias of YAML shares with another key. The change would reach that key too, or leave its
 * alias without an anchor; a table that is itself an alias would lose its other values.
 */
export function refuseShared(document: Document.Parsed, { file, lines, verb, key }: ConfigChange): void {
  const refuse = (offset: number, why: string): never => {
    const { line } = lines.linePos(offset)
    throw new PithError('bad-config', `cannot ${verb} ${key}: ${file}:${line} ${why}: write the value out there first`)
  }
  const path = key.split('.')
  const anchors = new Set<string>()
  for (const outer of path.slice(1).map((_, index) => path.slice(0, index + 1))) {
    const node: unknown = document.getIn(outer, true)
    if (isAlias(node)) refuse(node.range?.[0] ?? 0, `takes ${outer.join('.')} from another key (\`*${node.source}\`)`)
    if (isNode(node) && !isAlias(node) && node.anchor !== undefined) anchors.add(node.anchor)
  }
  const target: unknown = document.getIn(path, true)
  if (isNode(target)) {
    visit(target, (_, node) => {
      if (isNode(node) && !isAlias(node) && node.anchor !== undefined) anchors.add(node.anchor)
    })
  }
  visit(document, (_, node) => {
    // What stands under the key itself goes with it.
    if (node === target) return visit.SKIP
    if (isAlias(node) && anchors.has(node.source)) refuse(node.range?.[0] ?? 0, `uses its value (\`*${node.source}\`)`)
    return undefined
  })
}
