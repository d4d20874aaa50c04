import { baseName } from '../calls/paths.ts'

/** The kind of a text, by the shape of its lines. */
export type TextKind = 'code' | 'config' | 'prose' | 'style'

/** The kind of a file, by its name. */
export function textKind(path: string): TextKind {
  const name = baseName(path).toLowerCase()
  const extension = name.slice(name.lastIndexOf('.') + 1)
  return KINDS.get(extension) ?? (/^(?:makefile|justfile|\.env)/.test(name) ? 'config' : 'code')
}

const KINDS: ReadonlyMap<string, TextKind> = new Map([
  ...['md', 'mdx', 'markdown', 'txt', 'adoc', 'org'].map((name) => [name, 'prose'] as const),
  ...['json', 'jsonc', 'json5', 'yaml', 'yml', 'toml', 'ini', 'cfg', 'conf', 'properties', 'env', 'mk'].map(
    (name) => [name, 'config'] as const,
  ),
  ...['css', 'scss', 'sass', 'less'].map((name) => [name, 'style'] as const),
])

/** The name that a line defines, judged by its shape, in any language: a function, a class, a constant, a test, a key, a heading. */
export function symbolIn(line: string, kind: TextKind): string | undefined {
  if (line.length > LONGEST_LINE || !/\w/.test(line)) return undefined
  for (const { sign, pattern } of SHAPES[kind]) {
    if (sign !== undefined && !line.includes(sign)) continue
    const name = pattern.exec(line)?.groups?.name
    if (name === undefined) continue
    if (isKeyword(name) || UNNAMED.has(name) || isKeyword(FIRST_WORD.exec(line)?.[0] ?? '')) return undefined
    return name.trim()
  }
  return undefined
}

const LONGEST_LINE = 400
const FIRST_WORD = /\w+/

function isKeyword(word: string): boolean {
  return KEYWORDS.has(word)
}

/** Words before a parenthesis or a brace that define nothing. */
const KEYWORDS: ReadonlySet<string> = new Set(
  'if for while switch catch return else do try with using lock match synchronized await new throw when unless until elif except finally case loop foreach and or not in is from import'.split(
    ' ',
  ),
)

/** Keywords of functions without a name. */
const UNNAMED: ReadonlySet<string> = new Set(['func', 'function', 'fn', 'lambda'])

const NAME = String.raw`(?<name>[\p{L}_$@][\p{L}\p{N}_$@]{0,79}(?:(?:\.|::|-)[\p{L}_$][\p{L}\p{N}_$]{0,79}){0,4}[?!]?)`
const PLAIN = String.raw`(?<name>[\p{L}_$#~][\p{L}\p{N}_$]{0,79})`
const MODIFIERS = String.raw`(?:(?:export|default|declare|async|pub|pub\([a-z]{1,9}\)|public|private|protected|internal|static|final|abstract|sealed|partial|override|inline|virtual|unsafe|extern|open|data|suspend|readonly|local|const|get|set)\s+){0,5}`
const KINDS_OF_DEFINITION =
  'function|def|defp|defmodule|defmacro|func|fun|fn|sub|class|interface|type|enum|struct|trait|impl|union|mod|module|namespace|record|protocol|extension|object|macro|macro_rules!|contract|proc|method'

/** A shape of a line. Most lines do not have its `sign`, and a plain search is many times faster than the pattern. */
type Shape = { readonly sign?: string; readonly pattern: RegExp }

const SHAPES: Readonly<Record<TextKind, readonly Shape[]>> = {
  code: [
    // function f( · def f( · func (r *T) f( · class A · type A = · impl A for B
    {
      pattern: new RegExp(
        String.raw`^\s*${MODIFIERS}(?:${KINDS_OF_DEFINITION})\b(?:<[^<>]{1,60}>)?[\s*]{1,4}(?:\([^()]{0,80}\)\s*)?${NAME}\s*(?:$|[(<{:=[;]|extends\b|implements\b|for\b|struct\b|interface\b|func\b|map\b|do\b|string\b|int\b)`,
        'u',
      ),
    },
    // it('does that', · describe("x" · t.Run("x"
    {
      pattern:
        /^\s*(?:it|test|describe|suite|context|specify|scenario|feature|t\.Run|b\.Run)(?:\.\w{1,20})?\s{0,2}\(?\s{0,2}(?<quote>['"`])(?<name>.{3,100}?)\k<quote>/u,
    },
    // const A = · export const a: T = · var A int
    {
      pattern: new RegExp(
        String.raw`^(?:(?:export|pub|public|static|default|declare|final|private|internal)\s+){0,4}(?:const|let|var|val|static(?=\s+[A-Z_]{2,80}:))\s+(?:mut\s+)?${PLAIN}\s*(?:[:=]|\s\w)`,
        'u',
      ),
    },
    // A_CONSTANT =
    { sign: '=', pattern: /^\s{0,8}(?<name>[A-Z][A-Z0-9_]{2,79})\s*(?::[^=]{1,40})?=(?!=)/u },
    // a function in a function
    {
      sign: '=>',
      pattern: new RegExp(
        String.raw`^\s+(?:const|let|var)\s+${PLAIN}\s*=\s*(?:async\s*)?[(\w][^=]{0,200}=>\s*[{(]?\s*$`,
        'u',
      ),
    },
    // name(args): T {
    {
      sign: '{',
      pattern: new RegExp(
        String.raw`^\s*${MODIFIERS}(?:[\w<>[\],.?*&:]{1,60}\s+){0,3}[*&]?${PLAIN}\s*(?:<[^<>]{1,60}>)?\([^;{}]{0,240}\)[^(){};=]{0,80}\{\s*(?:\/\/.{0,100})?$`,
        'u',
      ),
    },
    // exports.name = · A.prototype.name =
    {
      sign: '=',
      pattern: new RegExp(String.raw`^\s*(?:module\.)?(?:exports|\w{1,60}\.prototype)\.${PLAIN}\s*=`, 'u'),
    },
    {
      pattern:
        /^\s*create\s+(?:or\s+replace\s+)?(?:unique\s+)?(?:table|index|view|function|trigger|type|procedure)\s+(?:if\s+not\s+exists\s+)?(?<name>[\w."`]{1,80})/iu,
    },
  ],
  config: [
    { pattern: /^\s{0,8}(?:- )?["']?(?<name>[\w.@/$-]{1,60})["']?\s{0,20}(?::|=|\?=)(?:\s|$|["'[{\d])/u },
    { sign: ']', pattern: /^\s*\[{1,2}(?<name>[\w. "'/-]{1,80})\]{1,2}\s*$/u },
  ],
  prose: [
    { sign: '#', pattern: /^#{1,6}\s+(?<name>\S.{0,99})/u },
    { sign: '=', pattern: /^={1,5}\s(?<name>\S.{0,99})/u },
  ],
  style: [
    { sign: '{', pattern: /^\s*(?<name>[.#@:\w*[&][^{};]{0,80}?)\s*\{/u },
    { sign: ':', pattern: /^\s*(?<name>--[\w-]{1,60}|\$[\w-]{1,60})\s*:/u },
  ],
}
