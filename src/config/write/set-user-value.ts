import { dirname } from 'node:path'
import { type Document, isAlias, isCollection, isNode, LineCounter, visit } from 'yaml'
import { PithError } from '../../model/problems/errors.ts'
import { checkProgramTable, valueFromText } from '../read/from-text.ts'
import { userFile } from '../read/load-config.ts'
import {
  FORMER_KEYS,
  parseConfigDocument,
  parseConfigText,
  readConfigText,
  withoutFormerKeys,
} from '../read/read-config-file.ts'
import { valuesOf } from '../values-of.ts'
import { writePrivate } from './write-private.ts'

/** Sets a value in the user's file and keeps its comments. A wrong value, or one that another key shares, is refused and not written. */
export function setUserValue(
  key: string,
  value: string,
  env: NodeJS.ProcessEnv = process.env,
  formerKeys: readonly string[] = FORMER_KEYS,
): void {
  const file = userFile(env)
  const text = readConfigText(file) ?? ''
  // The file is checked first: otherwise its own errors would look like errors of the change.
  parseConfigText(text, { file, source: '', folder: dirname(file) }, formerKeys)
  const lines = new LineCounter()
  const document = parseConfigDocument(text, file, lines)
  refuseShared(document, { file, lines, verb: 'set', key })
  const path = key.split('.')
  for (const outer of path.slice(1).map((_, index) => path.slice(0, index + 1))) {
    // `policy:` with nothing under it is not a table yet.
    if (document.hasIn(outer) && !isCollection(document.getIn(outer, true))) document.deleteIn(outer)
  }
  document.setIn(path, valueFromText(key, value))
  // The file may keep former keys, but none may be set.
  const others = formerKeys.filter((former) => former !== key)
  const where = () => `cannot set ${key}`
  const { table } = withoutFormerKeys(document.toJS(), others)
  checkProgramTable(key, valuesOf(table, { source: '', folder: dirname(file), where }), where)
  writePrivate(file, textOf(document))
}

/** Removes a value from the user's file; false if it was not set there. The file is not checked first, because people use this to fix it. */
export function unsetUserValue(key: string, env: NodeJS.ProcessEnv = process.env): boolean {
  const file = userFile(env)
  const lines = new LineCounter()
  const document = parseConfigDocument(readConfigText(file) ?? '', file, lines)
  refuseShared(document, { file, lines, verb: 'unset', key })
  const path = key.split('.')
  if (!document.hasIn(path)) return false
  document.deleteIn(path)
  writePrivate(file, textOf(document))
  return true
}

function textOf(document: Document): string {
  return document.toString({ lineWidth: 0 })
}

/** A change of a file, for the error message: `set` or `unset`, and the key. */
type ConfigChange = {
  readonly file: string
  readonly lines: LineCounter
  readonly verb: 'set' | 'unset'
  readonly key: string
}

/**
 * Refuses to change a value that an alias of YAML shares with another key. The change would also change that key, or leave its
 * alias without an anchor. A table that is itself an alias would lose its other values.
 */
function refuseShared(document: Document.Parsed, { file, lines, verb, key }: ConfigChange): void {
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
    // Aliases under the key itself are replaced together with it.
    if (node === target) return visit.SKIP
    if (isAlias(node) && anchors.has(node.source)) refuse(node.range?.[0] ?? 0, `uses its value (\`*${node.source}\`)`)
    return undefined
  })
}
