import { isDeepStrictEqual } from 'node:util'
import { type AST, getStaticTOMLValue, parseTOML } from 'toml-eslint-parser'
import { ConfigProblem, type SettingForm } from '../setup-agent.ts'

type TomlValue = string | number | boolean | readonly TomlValue[] | TomlTable
type TomlTable = { readonly [key: string]: TomlValue }

/** A table with a name of ours, such as `[mcp_servers.pith]`. `isOurs` recognises one that another installation added. */
export function tomlTable(path: readonly string[], table: TomlTable, isOurs: (value: unknown) => boolean): SettingForm {
  const lines = Object.entries(table).map(([key, value]) => `${key} = ${tomlText(value)}\n`)
  const block = `[${path.join('.')}]\n${lines.join('')}`
  const keys = Object.keys(table)
  const valueIn = (text: string) => path.reduce<unknown>((outer, name) => fieldOf(outer, name), documentOf(text).value)
  return {
    name: path.at(-1),
    // Settings that the user or Codex has added to it, such as a tool that is always allowed, are theirs.
    standing: (text) => {
      const value = valueIn(text)
      const isOn = keys.every((key) => isDeepStrictEqual(fieldOf(value, key), table[key]))
      return value === undefined ? 'off' : isOn ? 'on' : isOurs(value) ? 'outdated' : 'other'
    },
    renewed: (text) => {
      const own = documentOf(text).nodes.find(
        (node) => node.type === 'TOMLTable' && isDeepStrictEqual(node.resolvedKey, path),
      )
      const hasMore = Object.keys(valueIn(text) ?? {}).some((key) => !keys.includes(key))
      if (!hasMore || own === undefined) return undefined
      const isOurKey = (name: string | number | undefined) => keys.includes(String(name))
      const rest = withoutNodes(text, (key) => isDeepStrictEqual(key.slice(0, -1), path) && isOurKey(key.at(-1)))
      const at = text.indexOf('\n', own.range[0]) + 1
      return `${rest.slice(0, at)}${lines.join('')}${rest.slice(at)}`
    },
    insertion: (text) => {
      const space = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n'
      return { at: text.length, text: `${space}${block}`, containers: 0 }
    },
    without: (text) => withoutNodes(text, (key) => path.every((name, i) => key[i] === name)),
    value: (text) => documentOf(text).value,
  }
}

/** A setting of the first table. A value that the user has set stays. */
export function tomlKey(key: string, value: string): SettingForm {
  return {
    standing: (text) => {
      const now = fieldOf(documentOf(text).value, key)
      return now === undefined ? 'off' : now === value ? 'on' : 'other'
    },
    insertion: (text) => {
      const { nodes } = documentOf(text)
      const last = nodes.findLast((node) => node.type === 'TOMLKeyValue')
      const line = `${key} = ${tomlText(value)}\n`
      if (last === undefined) return { at: text.startsWith('\uFEFF') ? 1 : 0, text: line, containers: 0 }
      const end = text.indexOf('\n', last.range[1])
      return end === -1
        ? { at: text.length, text: `\n${line}`, containers: 0 }
        : { at: end + 1, text: line, containers: 0 }
    },
    without: (text) => withoutNodes(text, (path) => path.length === 1 && path[0] === key),
    value: (text) => documentOf(text).value,
  }
}

function documentOf(text: string): { value: unknown; nodes: readonly (AST.TOMLKeyValue | AST.TOMLTable)[] } {
  try {
    const program = parseTOML(text.replace(/^\uFEFF/, ' '))
    return { value: getStaticTOMLValue(program), nodes: program.body[0].body }
  } catch (error) {
    const line = typeof error === 'object' && error !== null && 'lineNumber' in error ? error.lineNumber : undefined
    throw new ConfigProblem(`is no TOML${line === undefined ? '' : `: see line ${line}`}`)
  }
}

/** The text without the tables and settings whose whole names match, each with its line. */
function withoutNodes(text: string, matches: (path: readonly (string | number)[]) => boolean): string {
  const ranges = documentOf(text).nodes.flatMap((node) => {
    if (node.type === 'TOMLKeyValue') return matches(namesOf(node)) ? [node.range] : []
    if (matches(node.resolvedKey)) return [node.range]
    return node.body.flatMap((inner) => (matches([...node.resolvedKey, ...namesOf(inner)]) ? [inner.range] : []))
  })
  return ranges
    .toSorted((a, b) => b[0] - a[0])
    .reduce((rest, [start, end]) => {
      const before = rest.slice(0, start).replace(/(\n)\n$/, '$1')
      return before + rest.slice(end).replace(/^[ \t]*\r?\n/, '')
    }, text)
}

function namesOf({ key }: AST.TOMLKeyValue): string[] {
  return key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value))
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}

function tomlText(value: TomlValue): string {
  if (typeof value !== 'object') return typeof value === 'string' ? quotedText(value) : String(value)
  if (isList(value)) return `[${value.map(tomlText).join(', ')}]`
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)} = ${tomlText(inner)}`)
    .join(', ')} }`
}

function isList(value: readonly TomlValue[] | TomlTable): value is readonly TomlValue[] {
  return Array.isArray(value)
}

/** A text of several lines keeps them. The escapes of JSON are TOML's, too. */
function quotedText(text: string): string {
  if (!text.includes('\n')) return JSON.stringify(text)
  const lines = text
    .split('\n')
    .map((line) => JSON.stringify(line).slice(1, -1).replaceAll('\\"', '"').replaceAll('"""', '\\"""'))
  return `"""\n${lines.join('\n')}"""`
}
