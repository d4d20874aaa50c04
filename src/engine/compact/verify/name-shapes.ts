/** The place of a token: alone between backticks, among other code, or in a sentence. */
export type TokenPlace = 'alone' | 'code' | 'prose'

/**
 * The paths that a token names, without line numbers and with lists in braces written out; undefined if it
 * does not look like a path. Outside backticks a slash is not enough: `read/write` is not a path.
 */
export function asPaths(token: string, place: TokenPlace): string[] | undefined {
  if (/:\/\//.test(token) && !token.startsWith('file://')) return undefined
  const path = withoutLine(token.replace(/^file:\/\//, ''))
  if (!/\p{L}/u.test(path) || path.length > 400 || path.endsWith('()')) return undefined
  if (isRegex(path)) return []
  if (place !== 'alone' && MEMBER.test(path)) return undefined
  if (!hasExtension(path) && !looksLikeFolder(path, place)) return undefined
  return expandBraces(path)
}

/** True if the last segment of a path has a file extension. */
export function hasExtension(path: string): boolean {
  const file = path.slice(path.lastIndexOf('/') + 1)
  return EXTENSION.test(file) || DOT_FILE.test(file)
}

const EXTENSION =
  /[\w\])}>*-]\.(?:[cm]?[jt]sx?|jsonl?|json5|ya?ml|toml|ini|cfg|conf|env|lock|mdx?|rst|txt|log|csv|tsv|html?|s?css|less|svg|png|jpe?g|gif|ico|webp|pdf|py[ic]?|ipynb|go|rs|rb|java|kts?|swift|[ch](?:pp|h)?|cc|cs|php|lua|sql|sqlite3?|db|sh|bash|zsh|fish|ps1|bat|vue|svelte|astro|proto|graphql|gradle|xml|plist|tf|zip|tar|gz|tgz|wasm|so|dll|exe|map|snap|patch|diff|traj|mod|sum|tmpl|ejs|erb|ex|exs|erl|hs|ml|scala|clj|dart|zig|nix|pem|key|crt)$/i
const DOT_FILE =
  /^\.(?:env|git\w+|npmrc|nvmrc|dockerignore|editorconfig|eslint\w*|prettier\w*|bashrc|zshrc)(?:\.\w+)?$/i

/** `console.log`, `items.map`: among other code these are members of an object, not files. */
const MEMBER = /^[\w$]+(?:\.[\w$]+)*\.(?:log|sqlite3?|map|key|db|env|conf|sum|mod|lock|diff|patch|so|c|h|text|zip|ex)$/

const ROOT =
  /^(?:src|libs?|apps|packages|cmd|internal|pkg|crates|tests|docs|scripts|examples|node_modules|\.[a-z][\w-]*)$/

function looksLikeFolder(path: string, place: TokenPlace): boolean {
  const segments = path.split(/[/\\]+/).filter((segment) => segment !== '')
  if (!/[/\\]/.test(path) || segments.length === 0) return false
  if (/^[a-z]:[/\\]/i.test(path)) return true
  if (!path.includes('/')) return false
  if (segments.some((segment) => !/[\p{L}\p{N}*]/u.test(segment) && !/^(?:\.{1,2}|~)$/.test(segment))) return false
  if (place === 'alone') return !/[=+&?]/.test(path)
  if (/^(?:\.{0,2}|~)\//.test(path)) return segments.length > 1 && /[\p{L}]{2}/u.test(path)
  return segments.length > 1 && ROOT.test(segments[0] ?? '')
}

/** `a.ts:12`, `a.ts:12:3`, `a.ts:12-30`, `a.ts#L12` and `a.ts:functionName` name the file a.ts. */
function withoutLine(token: string): string {
  return token
    .replace(/(?:#L\d+(?:-L?\d+)?|(?::\d+(?:[-–,]\d+)?)+)$/, '')
    .replace(/^(\S*\.[a-z]\w{0,5}):[\w.$#]+(?:\(\))?$/i, '$1')
    .replace(/[#:]$/, '')
}

function isRegex(text: string): boolean {
  return /^\/.*[\^$|+*\\].*\/[a-z]*$/.test(text)
}

/** `src/{a,b}.ts` as `src/a.ts` and `src/b.ts`: only the first list, and at most as many as a person writes. */
function expandBraces(path: string): string[] {
  const match = /^([^{]*)\{([^{}]*,[^{}]*)\}(.*)$/.exec(path)
  if (match === null) return [path]
  const [, before = '', list = '', after = ''] = match
  return list
    .split(',')
    .slice(0, 50)
    .map((item) => before + item.trim() + after)
}

/** True if a token looks like a name in code: camelCase, snake_case, a.b(), v1.2.3, a hash, #12, a URL, … */
export function isIdentifier(token: string, place: TokenPlace): boolean {
  if (token.length < 2 || token.length > 300) return false
  if (place === 'alone' && /\p{L}/u.test(token)) return true
  return (
    EVERYWHERE.some((shape) => shape.test(token)) || (place !== 'prose' && IN_CODE.some((shape) => shape.test(token)))
  )
}

/** The port numbers of a sentence: `port 5432`, `ports 80 and 8080`. */
export function mentionedPorts(text: string): string[] {
  return [...text.matchAll(/\bports?\s+(\d{2,5})(?:(?:\s*(?:,|\/|and|or)\s*)(\d{2,5}))?\b/gi)].flatMap((match) =>
    [match[1], match[2]].filter((port) => port !== undefined),
  )
}

const EVERYWHERE: readonly RegExp[] = [
  /^[\w$.]*[a-z][A-Z][\w$.]*(?:\(\))?$/, // camelCase, PascalCase with an inner capital, a.bC
  /^[$@]?[\w.]*[A-Za-z0-9]_[A-Za-z0-9][\w.]*(?:\(\))?$/, // snake_case, CONSTANT_CASE
  /^[\w$.:#-]*[A-Za-z]\w*\(\)$/, // call()
  /^v\d+(?:\.\d+)+[\w.+-]*$/, // v1.2
  /^\d+\.\d+\.\d+[\w.+-]*$/, // 1.2.3, 127.0.0.1
  /^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,64}$/, // a hash
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}$/i, // a UUID
  /^#\d{2,}$/, // an issue
  /^[A-Z]{2,}-\d+$/, // a ticket
  /^[a-z][a-z0-9+.-]*:\/\/\S+$/i, // a URL
  /^(?:[\w.-]*[a-z][\w.-]*|\d+(?:\.\d+){3}):\d{2,5}$/i, // host:port
]

const IN_CODE: readonly RegExp[] = [
  /^--[a-z][\w-]+(?:=\S*)?$/, // a flag
  /^[A-Za-z_$][\w$]+(?:(?:\.|::|->|#)[A-Za-z_$][\w$]+)+(?:\(\))?$/, // a.b.c
  /^[A-Z][A-Z0-9]+_[A-Z0-9_]+=\S*$/, // KEY=value
]
