import { type Document, isAlias, isMap, LineCounter, parseDocument, visit, type YAMLParseError } from 'yaml'
import { PithError } from '../../model/problems/errors.ts'
import { type Value, valuesOf } from '../values-of.ts'
import { readUnasked } from './read-unasked.ts'

/** The file of a text, its name in messages, and the folder that its relative paths start from. */
export type ConfigFile = { readonly file: string; readonly source: string; readonly folder: string }

/** The text of one of the user's own configuration files, or undefined if there is none. */
export function readConfigText(file: string): string | undefined {
  const found = readUnasked(file)
  if (found.kind === 'refused') throw new PithError('bad-config', `${file} is not read: ${found.why}`)
  return found.kind === 'text' ? found.text : undefined
}

/** The checked values of a configuration file's text. An error names the file and, if possible, the line. */
export function parseConfigText(text: string, { file, source, folder }: ConfigFile): Value[] {
  const lines = new LineCounter()
  const document = parseConfigDocument(text, file, lines)
  const where = (path: readonly PropertyKey[]) => {
    const line = lineOf(document, path, lines)
    return line === undefined ? file : `${file}:${line}`
  }
  return valuesOf(asTable(document, file, lines), { source, folder, where })
}

/** A file's text as a YAML document, with its comments; JSON is YAML too. */
export function parseConfigDocument(text: string, file: string, lineCounter = new LineCounter()): Document.Parsed {
  const document = parseDocument(text, { lineCounter, logLevel: 'error' })
  const [error] = document.errors
  if (error === undefined) return document
  const { line, col } = error.linePos?.[0] ?? { line: 1, col: 1 }
  throw new PithError('bad-config', `${file}:${line}:${col}: ${yamlProblem(error)}`)
}

function asTable(document: Document.Parsed, file: string, lines: LineCounter): unknown {
  if (document.contents !== null && !isMap(document.contents))
    throw new PithError('bad-config', `${file}: expected a table of settings, like \`model: anthropic/…\``)
  try {
    return document.toJS()
  } catch {
    const offset = unknownAlias(document)
    if (offset === undefined) throw new PithError('bad-config', `${file}: its aliases would fill the memory`)
    const { line, col } = lines.linePos(offset)
    throw new PithError('bad-config', `${file}:${line}:${col}: ${NEEDS_QUOTES}`)
  }
}

/** The position of the first alias that has no anchor before it. */
function unknownAlias(document: Document.Parsed): number | undefined {
  const anchors = new Set<string>()
  let found: number | undefined
  visit(document, {
    Node(_, node) {
      if (!isAlias(node)) return void anchors.add(node.anchor ?? '')
      if (anchors.has(node.source)) return undefined
      found = rangeStart(node)
      return visit.BREAK
    },
  })
  return found
}

/** The line of the last part of a path that the document has. */
function lineOf(document: Document.Parsed, path: readonly PropertyKey[], lines: LineCounter): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const offset = offsetOf(document, path.slice(0, length))
    if (offset !== undefined) return lines.linePos(offset).line
  }
  return undefined
}

function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number | undefined {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  const key = path.at(-1)
  const pair = isMap(parent) ? parent.items.find((item) => nameOf(item.key) === String(key)) : undefined
  return rangeStart(pair === undefined ? document.getIn(path, true) : pair.key)
}

function nameOf(key: unknown): string {
  return typeof key === 'object' && key !== null && 'value' in key ? String(key.value) : String(key)
}

function rangeStart(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined
  return Number(node.range[0])
}

/** The message for a file that is not valid YAML. The parser's own message is not shown, because it may quote a secret of the file. */
function yamlProblem({ code, message }: YAMLParseError): string {
  if (code === 'BAD_INDENT' || code === 'MISSING_CHAR') {
    const [, bracket] = /^Flow .* end with a ([\]}])/.exec(message) ?? []
    if (bracket !== undefined) return `\`${bracket}\` is missing`
  }
  return PROBLEMS[code] ?? 'this is not YAML'
}

/** The message for an alias without an anchor: such a value was rarely meant as an alias. */
const NEEDS_QUOTES = 'a value that begins with `*` or `&` needs quotes'

const PROBLEMS: Partial<Record<YAMLParseError['code'], string>> = {
  ALIAS_PROPS: NEEDS_QUOTES,
  BAD_ALIAS: NEEDS_QUOTES,
  BAD_DQ_ESCAPE: 'between double quotes `\\` has a meaning of its own: use single quotes',
  BAD_INDENT: 'the keys of one table need the same indentation',
  BAD_SCALAR_START: 'a value that begins with this character needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a value with a colon in it needs quotes, and the keys of one table the same indentation',
  DUPLICATE_KEY: 'this key is set twice: keep one',
  MISSING_CHAR: 'a closing quote, or a comma between two values, is missing',
  MULTILINE_IMPLICIT_KEY: 'expected `key: value`',
  MULTIPLE_DOCS: 'the settings of a file are one table: remove the `---`',
  TAB_AS_INDENT: 'indent with spaces, not with tabs',
  UNEXPECTED_TOKEN: 'nothing is allowed here: there is a comma or bracket too many, or a text needs quotes',
}
