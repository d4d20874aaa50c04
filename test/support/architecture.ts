/**
 * The rooms of a folder, each after all that it may import. Rooms on one line do not import each other. `.` means
 * the files at the folder's root, `*` for all rooms that are not named; a folder that is not listed here has no order inside.
 */
const LAYERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  '': [
    ['model'],
    ['tokens'],
    ['engine'],
    ['fit', 'search'],
    ['models', 'formats', 'config', 'secrets'],
    ['llm', 'store', 'contract'],
    ['session'],
    ['study'],
    ['agent', 'eval'],
    ['gateway'],
    ['adapters', 'server', 'tui', 'mcp', 'client'],
    ['plugins', 'acp'],
    ['cli'],
    // The files right under src are the public surface: they may import anything, nothing may import them.
    ['.'],
  ],
  engine: [['extract'], ['record'], ['context'], ['report'], ['plan'], ['compact']],
  'engine/context': [['view'], ['measure'], ['.']],
  // The files at the root say what an agent, a tool and a workspace are; what only puts an agent together comes last.
  agent: [
    ['fixed', 'sandbox', 'processes'],
    ['.'],
    ['tools', 'permissions', 'request', 'mcp'],
    ['compaction', 'checkpoints', 'attachments'],
    ['loop'],
    ['tasks'],
    ['open'],
  ],
  server: [['http'], ['observe', 'access', 'stream', 'work'], ['sessions', 'retention'], ['routes'], ['.']],
  'server/routes': [['.'], ['sessions'], ['compact', 'context'], ['messages', 'overview', 'events', 'system']],
  gateway: [
    ['bytes', 'records'],
    ['faces', 'upstream'],
    ['clients', 'identity'],
    ['recording', 'wrap'],
    ['modes'],
    ['.'],
  ],
  llm: [['provider'], ['failure'], ['call'], ['.']],
  // Agents keep what they sent to a provider in that provider's form.
  formats: [['shared'], ['anthropic', 'openai-chat', 'openai-responses'], ['*'], ['.']],
  // A screen and a session know of each other only what the port has.
  tui: [['port'], ['state', 'local', 'remote'], ['parts'], ['commands'], ['app']],
  cli: [
    ['example', 'process'],
    ['output', 'options'],
    ['setup'],
    ['sessions', 'compaction'],
    ['recall', 'memory'],
    ['wrap'],
    ['commands'],
    ['.'],
  ],
  'cli/commands': [['*'], ['.']],
}

const PURE: ReadonlySet<string> = new Set(['model', 'tokens', 'engine', 'formats'])

/** The packages that a pure file may import from outside: parsing is computing. */
const PURE_PACKAGES: ReadonlySet<string> = new Set(['zod'])

/** The modules that a file imports or re-exports, as they are written. */
export function importsOf(text: string): string[] {
  const code = withoutComments(text)
  const pattern = /\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g
  return [...code.matchAll(pattern)].map((match) => match[2] ?? '')
}

/** The imports of a file (paths from src, or package names) that point the wrong way. */
export function forbiddenImports(file: string, imports: readonly string[]): string[] {
  const folder = folderOf(file)
  return imports.flatMap((name) => {
    // A data file of ours follows the same rule as code.
    if (/\.(?:ts|json)$/.test(name)) return pointsForward(file, name) ? [] : [`${file} may not import ${name}`]
    const allowed = !PURE.has(folder) || PURE_PACKAGES.has(name)
    return allowed ? [] : [`${folder} is pure and may not import ${name}`]
  })
}

/** True when the import stays in its room, or goes to a room that is earlier in the list. */
function pointsForward(file: string, name: string): boolean {
  const { parent, from, to } = roomsOf(file, name)
  const layers = LAYERS[parent]
  return from === to || layers === undefined || layerOf(parent, layers, to) < layerOf(parent, layers, from)
}

/** The innermost folder that has both files, and the room of each in it. */
function roomsOf(file: string, name: string): { parent: string; from: string; to: string } {
  const [a, b] = [file.split('/'), name.split('/')]
  let depth = 0
  while (depth < a.length - 1 && depth < b.length - 1 && a[depth] === b[depth]) depth++
  const room = (parts: readonly string[]) => (depth === parts.length - 1 ? '.' : (parts[depth] ?? '.'))
  return { parent: a.slice(0, depth).join('/'), from: room(a), to: room(b) }
}

function layerOf(parent: string, layers: readonly (readonly string[])[], room: string): number {
  const named = layers.findIndex((rooms) => rooms.includes(room))
  const layer = named === -1 ? layers.findIndex((rooms) => rooms.includes('*')) : named
  if (layer === -1) throw new Error(`src/${parent === '' ? '' : `${parent}/`}${room} is not in the layout`)
  return layer
}

/** A ring of files that import each other's values, if there is one. `imports`: what each file imports, types left out. */
export function importRing(imports: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const next of imports.get(file) ?? []) {
      const ring = visit(next, [...path, file])
      if (ring !== undefined) return ring
    }
    done.add(file)
    return undefined
  }
  for (const file of imports.keys()) {
    const ring = visit(file, [])
    if (ring !== undefined) return ring
  }
  return undefined
}

/** The modules of which a file imports a value, not only types, when it is loaded. */
export function valueImportsOf(text: string): string[] {
  const statement = /(?:^|\n)\s*(?:import|export)\s+(?!type\b)([^'"]*?)\s*from\s*['"]([^'"\n]+)['"]/g
  return [...withoutComments(text).matchAll(statement)].flatMap(([, names = '', module = '']) =>
    onlyTypes(names) ? [] : [module],
  )
}

function onlyTypes(names: string): boolean {
  const list = /^\{([\s\S]*)\}$/.exec(names)?.[1]
  return list?.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type ')) ?? false
}

/** Where a file of a pure folder touches the file system, the network, the clock or randomness. */
export function impurities(file: string, text: string): string[] {
  if (!PURE.has(folderOf(file))) return []
  const code = withoutTexts(text)
  const uses = [
    /\bDate\.now\b/,
    /\bnew Date\(\s*\)/,
    /\bMath\.random\b/,
    /\bperformance\b/,
    // To sign a text is to compute.
    /\bcrypto\b(?!\.subtle\b)/,
    /\bfetch\(/,
    /\bset(?:Timeout|Interval|Immediate)\b/,
    /\bprocess\./,
    /\bglobalThis\b/,
  ]
  const found = uses.flatMap((use) => code.match(use)?.[0] ?? [])
  const builtins = importsOf(text).filter((name) => name.startsWith('node:'))
  return [...found, ...builtins].map((use) => `${file} uses ${use}`)
}

/**
 * Places where a file may keep something from one call to the next: maps with keys that nothing else names, and variables of the
 * module, at the margin, that change or start empty. What is typed as read-only is a constant.
 */
export function memories(text: string): string[] {
  const code = withoutTexts(text)
  const uses = [
    /\bnew (?:WeakMap|WeakSet|WeakRef|RecentMap|KnownBeginnings)\b/g,
    /^(?:export )?(?:let|var)\b.*/gm,
    /^(?:export )?const \w+(?:: (?!readonly|Readonly|\[\])[^=\n]+)? = (?:new (?:Map|Set)\b(?:<.*>)?\(\)|\[\])/gm,
    /\bstatic (?!readonly\b)[#\w]+(?:: [^=(\n]+)?(?: = .*|;?$)/gm,
    /\bstatic readonly [#\w]+(?:: (?!readonly|Readonly|\[\])[^=\n]+)? = (?:new (?:Map|Set)\b(?:<.*>)?\(\)|\[\])/gm,
  ]
  return uses.flatMap((use) => code.match(use) ?? [])
}

/** The sentence of a cache that says what it saves and when it is dropped. */
export function cacheComment(text: string): string | undefined {
  const words = text.replace(/\s+(?:\*|\/\/)\s+/g, ' ')
  return /\bA cache: saves [^.]+\. Dropped\b[^.]+\./.exec(words)?.[0]
}

function folderOf(file: string): string {
  const slash = file.indexOf('/')
  return slash === -1 ? '' : file.slice(0, slash)
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/[^\n]*/g, '$1')
}

/** Without comments and strings. Both in one pass: a string may have what looks like a comment, and the other way round. */
function withoutTexts(text: string): string {
  const TEXTS =
    /\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*|('|")(?:(?!\1)[^\\\n]|\\.)*\1|`(?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\})*`/g
  return text.replace(TEXTS, (found) => (found.startsWith('/') ? '' : `${found[0]}${found[0]}`))
}
