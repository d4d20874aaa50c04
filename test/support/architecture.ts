/** The folders of src, each after all that it may import. Folders on one line do not import each other. */
const LAYERS: readonly (readonly string[])[] = [
  ['model'],
  ['tokens'],
  ['engine'],
  ['models', 'formats', 'config'],
  ['llm', 'store'],
  ['session'],
  ['agent'],
  ['adapters', 'server', 'tui'],
  ['cli'],
]

const PURE: ReadonlySet<string> = new Set(['model', 'tokens', 'engine', 'formats'])

/** What a pure file may import from outside: parsing is computing. */
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
  const layer = layerOf(folder)
  return imports.flatMap((name) => {
    if (!name.endsWith('.ts')) {
      const allowed = !PURE.has(folder) || PURE_PACKAGES.has(name)
      return allowed ? [] : [`${folder} is pure and may not import ${name}`]
    }
    const target = folderOf(name)
    // The files right under src are the public surface: they may import anything, nothing may import them.
    if (folder === '') return []
    if (target === '') return [`${file} may not import the public surface`]
    return target === folder || layerOf(target) < layer ? [] : [`${folder} may not import ${name}`]
  })
}

/** Where a file of a pure folder touches the file system, the network, the clock or randomness. */
export function impurities(file: string, text: string): string[] {
  if (!PURE.has(folderOf(file))) return []
  const code = withoutStrings(withoutComments(text))
  const uses = [
    /\bDate\.now\b/,
    /\bnew Date\(\s*\)/,
    /\bMath\.random\b/,
    /\bperformance\b/,
    /\bcrypto\b/,
    /\bfetch\(/,
    /\bset(?:Timeout|Interval|Immediate)\b/,
    /\bprocess\./,
    /\bglobalThis\b/,
  ]
  const found = uses.flatMap((use) => code.match(use)?.[0] ?? [])
  const builtins = importsOf(text).filter((name) => name.startsWith('node:'))
  return [...found, ...builtins].map((use) => `${file} uses ${use}`)
}

function folderOf(file: string): string {
  const slash = file.indexOf('/')
  return slash === -1 ? '' : file.slice(0, slash)
}

function layerOf(folder: string): number {
  const layer = LAYERS.findIndex((folders) => folders.includes(folder))
  if (layer === -1 && folder !== '') throw new Error(`src/${folder} is not in the layout`)
  return layer
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/[^\n]*/g, '$1')
}

function withoutStrings(code: string): string {
  return code.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''").replace(/`(?:[^`\\$]|\\.)*`/g, '``')
}
