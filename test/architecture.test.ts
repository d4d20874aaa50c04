import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  cacheComment,
  forbiddenImports,
  importRing,
  importsOf,
  impurities,
  memories,
  valueImportsOf,
} from './support/architecture.ts'

const root = resolve(import.meta.dirname, '..')
const src = join(root, 'src')

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'))
  .toSorted()
const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]))
const textOf = (file: string) => texts.get(file) ?? ''

describe('the architecture', () => {
  it('lets a file import only files of rooms before its own', () => {
    const forbidden = files.flatMap((file) =>
      forbiddenImports(
        file,
        importsOf(textOf(file)).map((name) => within(file, name)),
      ),
    )
    expect(forbidden).toEqual([])
  })

  it('has no files that import each other in a ring', () => {
    const imports = files.map((file) => {
      const names = valueImportsOf(textOf(file))
      return [file, names.map((name) => within(file, name))] as const
    })
    expect(importRing(new Map(imports))).toBeUndefined()
  })

  it('measures compactions with nothing that makes them', () => {
    const measuring = files.filter((file) => /^eval\/(?:made|truth|probes|kit|plot)\//.test(file))
    expect(measuring.length).toBeGreaterThan(20)
    // The generator knows messages, numbers from a seed and the shape of its truth; the probes count tokens, too.
    const allowed = (file: string) =>
      file.startsWith('eval/made/') ? /^(?:model|eval\/(?:made|truth|random))\b/ : /^(?:model|tokens|eval)\//
    const wrong = measuring.flatMap((file) =>
      importsOf(textOf(file))
        .map((name) => within(file, name))
        .filter((name) => name.endsWith('.ts') && !allowed(file).test(name))
        .map((name) => `${file} may not import ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('opens a database with SQLite alone', () => {
    const named = /import \{([^}]*)\} from 'node:fs(?:\/promises)?'/g
    const opening = (file: string) =>
      [...textOf(file).matchAll(named)]
        .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
        .filter((name) => /^(?:append|close|copy|cp|create|open|read(?!dir|link)|rename|truncate|write)/.test(name))
    const found = files.filter((file) => file.startsWith('store/sqlite/')).map((file) => [file, opening(file)] as const)
    expect(Object.fromEntries(found.filter(([, names]) => names.length > 0))).toEqual({
      // Makes a file that is not there yet.
      'store/sqlite/open-files.ts': ['closeSync', 'openSync'],
      // Reads a damaged file in a process of its own, which has nothing else open.
      'store/sqlite/salvage/table-records.ts': ['readFileSync'],
    })
    const connecting = files.filter((file) => /\bnew DatabaseSync\b|\bextends DatabaseSync\b/.test(textOf(file)))
    expect(connecting).toEqual(['cli/sessions/opencode-sessions.ts', 'store/sqlite/database.ts'])
  })

  it('keeps the pure folders pure', () => {
    expect(files.flatMap((file) => impurities(file, textOf(file)))).toEqual([])
  })
})

/** Values that are derived and kept to save work. There are at most six: what is expensive belongs to a value that is passed on. */
const CACHES: readonly string[] = [
  'fit/open-contexts.ts',
  'gateway/faces/known-requests.ts',
  'search/kept-segments.ts',
  'server/sessions/statuses.ts',
  'store/sqlite/database.ts',
  'tui/parts/transcript.ts',
]

/** State that was seen, said or opened: it cannot be derived again. */
const STATE: Readonly<Record<string, string>> = {
  'adapters/ai-sdk/context/conversations.ts': 'the changes that were made to each conversation',
  'adapters/ai-sdk/middleware/middleware.ts': 'requests on their way',
  'adapters/ai-sdk/session/session.ts': 'messages that are stored',
  'adapters/ai-sdk/steps/observed-runs.ts': 'the last request of each run',
  'adapters/ai-sdk/steps/returned-lists.ts': 'the last list that each run was given',
  'adapters/langchain/message-form.ts': 'which message of ours is which of LangChain',
  'adapters/mastra/processor.ts': 'the last list that each run was given',
  'adapters/shared/list-keeper.ts': 'states of conversations, and windows that providers named',
  'agent/processes/owned-process.ts': 'processes that run',
  'agent/sandbox/sandbox.ts': 'what the system answered when a sandbox was tried',
  'agent/sandbox/private-folder.ts': 'the private caches that this process removes when it ends',
  'eval/plain-selection.ts': 'the log of each session that is measured',
  'cli/output/show.ts': 'the line of progress on the screen',
  'cli/process/interruptible.ts': 'whether the reader of the output has gone',
  'formats/shared/origins.ts': 'which message of ours was read from which item of another SDK',
  'gateway/gateway.ts': 'faults that were reported',
  'gateway/recording/cache-misses.ts': 'the last request of each session, and providers that have a cache',
  'gateway/modes/rewrite/prepared-rewrites.ts': 'open sessions',
  'gateway/modes/rewrite/rewrite-plan.ts': 'how the last request of each conversation was sent',
  'gateway/recording/fixed-notes.ts': 'the sizes that this gateway noted last',
  'gateway/recording/session-ends.ts': 'what this gateway wrote last',
  'gateway/upstream/proxied-agent.ts': 'the agent with its open connections',
  'session/compaction/hold-lease.ts': 'leases that this process holds',
  'session/events/session-events.ts': 'listeners of progress',
  'store/postgres/listener.ts': 'entries and signals that listeners got',
  'store/sqlite/open-files.ts': 'files that SQLite has open',
}

/** Constants that take long to make or to load, made when they are first needed. They never change. */
const MADE_ONCE: readonly string[] = [
  'model/text.ts',
  'models/registry.ts',
  'secrets/load-redactor.ts',
  'tui/parts/markdown.ts',
]

/** The tables of the estimator: constants that take longer to make than a short text takes to count. */
const TABLES: readonly string[] = ['tokens/estimate/automaton.ts', 'tokens/estimate/feature-estimator.ts']

describe('the code', () => {
  const isPure = (file: string) => /^(?:engine|tokens)\//.test(file)
  const remembering = files.filter((file) => memories(textOf(file)).length > 0)

  it('remembers in six places only', () => {
    const state = Object.keys(STATE)
    const known = new Set([...CACHES, ...state, ...MADE_ONCE])
    expect(remembering.filter((file) => !isPure(file) && !known.has(file))).toEqual([])
    expect([...state, ...MADE_ONCE].filter((file) => !remembering.includes(file))).toEqual([])
    expect(CACHES.length).toBeLessThanOrEqual(6)
  })

  it('says of each cache what it saves and when it is dropped', () => {
    expect(files.filter((file) => cacheComment(textOf(file)) !== undefined)).toEqual(CACHES)
  })

  it('remembers nothing in the engine, which derives everything from what it is given', () => {
    const hasHelper = (file: string) =>
      /\b(?:Weak(?:Map|Set|Ref)|RecentMap|KnownBeginnings|runningTotals|perEstimator)\b/.test(textOf(file))
    const pure = files.filter((file) => isPure(file) && (remembering.includes(file) || hasHelper(file)))
    expect(pure).toEqual(TABLES)
  })
})

const EXPORTED = /^export (?:async )?(?:function\*?|const|class|type) (\w+)/gm

/** The same thing for users of two frameworks, each under its own entry point. */
const PUBLIC_TWICE: ReadonlySet<string> = new Set(['compactionMiddleware', 'summaryModelOf', 'recall'])

describe('the rooms', () => {
  const rooms = files.flatMap((file) => file.match(/^(?:engine\/)?[\w-]+(?=\/)/)?.[0] ?? [])
  it.each([...new Set(rooms)])('src/%s has a README', (room) => {
    expect(existsSync(join(src, room, 'README.md'))).toBe(true)
  })

  const pages = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('README.md') && !file.includes('plugins/claude-code'))
    .map((file) => file.replaceAll('\\', '/'))
  it.each(pages)('src/%s has at most 30 lines, and the files that it names are there', (page) => {
    const text = readFileSync(join(src, page), 'utf8')
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(30)
    const named = [...text.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name = '']) => name)
    const room = dirname(page)
    const below = files.filter((file) => file.startsWith(`${room}/`))
    const isThere = (name: string) =>
      below.some((file) => file.endsWith(`/${name}`)) ||
      [join(src, room, '..'), src, root].some((folder) => existsSync(join(folder, name)))
    expect(named.filter((name) => !isThere(name))).toEqual([])
  })

  it('of the engine are all there is in it', () => {
    expect(files.filter((file) => /^engine\/[^/]+$/.test(file))).toEqual([])
  })

  it('export a name from one file only', () => {
    const homes = new Map<string, Set<string>>()
    for (const file of files)
      for (const [, name = ''] of textOf(file).matchAll(EXPORTED))
        homes.set(name, (homes.get(name) ?? new Set()).add(file))
    const shared = [...homes].filter(([name, found]) => found.size > 1 && !PUBLIC_TWICE.has(name))
    expect(shared.map(([name, found]) => `${name}: ${[...found].join(', ')}`)).toEqual([])
  })

  it('are named in CONTRIBUTING with files that are there', () => {
    const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
    const named = [...text.matchAll(/`((?:src|test|scripts|web|docs|bench)\/[\w./-]+)`/g)].map(([, name = '']) => name)
    // These are what somebody adds who follows a list of it.
    const isExample = (name: string) => /kilo|echo|trim|\/a\/b/.test(name)
    expect(named.filter((name) => !isExample(name) && !existsSync(join(root, name)))).toEqual([])
  })
})

describe('the architecture test itself', () => {
  it('sees an import that points the wrong way', () => {
    expect(forbiddenImports('tokens/status.ts', ['engine/view.ts'])).toEqual([
      'tokens/status.ts may not import engine/view.ts',
    ])
    expect(forbiddenImports('engine/view.ts', ['tokens/status.ts'])).toEqual([])
  })

  it('holds a data file to the same direction as code', () => {
    expect(forbiddenImports('tokens/status.ts', ['tokens/weights.json'])).toEqual([])
    expect(forbiddenImports('tokens/status.ts', ['models/offers.json'])).toHaveLength(1)
  })

  it('sees one room of the engine import from a later one, and from its root', () => {
    const later = ['engine/plan/plan.ts', 'engine.ts']
    expect(forbiddenImports('engine/context/context.ts', [...later, 'engine/extract/files.ts'])).toEqual(
      later.map((name) => `engine/context/context.ts may not import ${name}`),
    )
  })

  it('sees one format import from another that is not a form of a provider', () => {
    const allowed = ['formats/shared/json.ts', 'formats/anthropic/read.ts']
    expect(forbiddenImports('formats/claude-code/read.ts', [...allowed, 'formats/codex/read.ts'])).toEqual([
      'formats/claude-code/read.ts may not import formats/codex/read.ts',
    ])
  })

  it('sees files import each other in a ring, and takes types for no part of one', () => {
    const ring = new Map([
      ['a.ts', ['b.ts']],
      ['b.ts', ['c.ts']],
      ['c.ts', ['b.ts']],
    ])
    expect(importRing(ring)).toEqual(['b.ts', 'c.ts', 'b.ts'])
    expect(importRing(new Map([['a.ts', ['b.ts']]]))).toBeUndefined()
    const text = `import { a, type B } from './a.ts'\nimport type { C } from './c.ts'\nimport { type D } from './d.ts'`
    expect(valueImportsOf(text)).toEqual(['./a.ts'])
  })

  it('sees imports in all their forms', () => {
    const text = `import a from './a.ts'\nimport type { B } from "./b.ts"\nexport * from './c.ts'\nimport './d.ts'\nawait import('./e.ts')`
    expect(importsOf(text)).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts'])
  })

  it('sees a pure folder touch the file system, the network, the clock or randomness', () => {
    const bad = [
      "import { readFileSync } from 'node:fs'",
      'const now = Date.now()',
      'const today = new Date()',
      'const dice = Math.random()',
      'await fetch(url)',
      'setTimeout(run, 1)',
      'const home = process.env.HOME',
      'performance.now()',
      'crypto.randomUUID()',
    ]
    for (const line of bad) expect(impurities('engine/x.ts', line), line).toHaveLength(1)
  })

  it('sees what a file may remember from one call to the next', () => {
    const bad = [
      'const known = new WeakMap<View, string>()',
      'const notes = () => new WeakSet()',
      '  readonly #last = new RecentMap<string, number>(5)',
      'const known = new KnownBeginnings<Entry, Breaker>()',
      'const known = new Map<string, readonly string[]>()',
      'export const seen: Set<string> = new Set()',
      'const list: string[] = []',
      'let last: string | undefined',
      '  static count = 0',
      '  static #last: string | undefined',
      '  static readonly known = new Map()',
    ]
    for (const line of bad) expect(memories(line), line).toHaveLength(1)
    const good = [
      "const NAMES = new Map([['a', 1]])",
      'const NONE: readonly string[] = []',
      'const NO_STEPS: ReadonlySet<Item> = new Set()',
      '  const found = new Map<string, number>()',
      '  let last = 0',
      '  static of(items: string[]): List {',
      '// new WeakMap()',
    ]
    for (const line of good) expect(memories(line), line).toEqual([])
  })

  it('sees whether a cache says what it saves and when it is dropped', () => {
    expect(cacheComment('/**\n * A cache: saves reading\n * it twice. Dropped at the end.\n */')).toBeDefined()
    expect(cacheComment('/** A cache of things. */')).toBeUndefined()
    expect(cacheComment('/** A cache: saves work. */')).toBeUndefined()
  })

  it('sees nothing in comments and texts', () => {
    expect(impurities('engine/x.ts', "// Date.now()\n/* fetch(url) */\nconst text = 'Math.random()'")).toEqual([])
  })
})

function within(file: string, name: string): string {
  if (!name.startsWith('.')) return name
  return relative(src, resolve(src, dirname(file), name)).replaceAll('\\', '/')
}
