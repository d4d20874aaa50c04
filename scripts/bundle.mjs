import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { esmExternalRequirePlugin } from 'rolldown/plugins'
import { notices, packagesIn } from './notices.mjs'

const root = resolve(import.meta.dirname, '..')
const { exports, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The files that the package exports: `store/index` is `dist/store/index.js`, made of `src/store/index.ts`. */
export const ENTRY_POINTS = Object.values(exports).flatMap((target) =>
  typeof target === 'string' ? [] : [target.default.replace(/^\.\/dist\/|\.js$/g, '')],
)

/** The suite that every store passes is a part of the tests; the package has it for people who write a store. */
export const CONFORMANCE = 'store/conformance'
const SOURCES = { [CONFORMANCE]: join('test', 'store', 'contract.ts') }

/** Files that are loaded by their path and are no entry points of the package. */
const BY_PATH = [
  'plugins/pi/extension-work',
  'plugins/pi/memory',
  'plugins/opencode/memory',
  'gateway/wrap/pi-extension',
]

/** Modules that pg uses if they are installed. */
const OPTIONAL = ['pg-native', 'cloudflare:sockets']

/**
 * Writes the library into a folder: a readable file for each entry point, and the parts that several share, fit to be bundled
 * again. It contains the packages that it uses, in the versions that were tested. Peers are the caller's own: the
 * adapters work with their objects.
 */
export async function bundleLibrary(dist) {
  const shared = join(dist, 'shared')
  const peers = Object.keys(peerDependencies).map((name) => new RegExp(`^${name}(/|$)`))
  const light = await loadedByFit()
  const output = await bundle([...ENTRY_POINTS, ...BY_PATH], {
    // Packages that have a form for browsers, too, are taken in that one: the engine runs in both.
    input: {
      platform: 'neutral',
      external: (id, importer) =>
        !isRules(importer) && [/^node:/, /^(?:vitest|fast-check)$/, ...peers].some((name) => name.test(id)),
      plugins: [englishOnly, rulesWithoutNode, apart('pg', './pg.js')],
    },
    // The declarations have the comments that users read.
    output: {
      dir: dist,
      chunkFileNames: 'shared/[name]-[hash].js',
      codeSplitting: { groups: [{ name: 'light', test: (id) => light.has(id) }] },
      comments: { legal: true, annotation: true, jsdoc: false },
    },
  })
  notices(packagesIn([...output, ...(await bundlePg(shared))]), join(shared, 'licences.txt'))
}

/** The modules that `fit` needs before it compacts. In a file of their own, so that a page which is bundled again loads no others at first. */
async function loadedByFit() {
  const made = await rolldown({
    cwd: root,
    input: join('src', 'fit', 'fit.ts'),
    platform: 'neutral',
  })
  const { output } = await made.generate({ format: 'esm' })
  await made.close()
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])))
  const names = new Set(output.flatMap((file) => (file.isEntry ? [file.fileName] : [])))
  for (const name of names) for (const other of chunks.get(name)?.imports ?? []) names.add(other)
  return new Set([...names].flatMap((name) => chunks.get(name)?.moduleIds ?? []))
}

/**
 * pg is CommonJS. In a file of its own it is not in the way of what runs in a browser; it imports Node's modules instead of
 * making a `require`, whose name would be there twice in the bundles of people who make one, too.
 */
function bundlePg(dir) {
  const plugins = [esmExternalRequirePlugin({ external: builtinModules }), withoutOptional]
  return build({ pg: 'pg' }, { input: { platform: 'node', plugins }, output: { dir } })
}

/**
 * The parts of the program that most commands load, by the source file that needs all of a part: it goes into one file with
 * all that it imports, except for what is in the parts above it. Node takes a third of the time of a short command to find
 * a hundred small files.
 */
const TOGETHER = [
  ['start', /cli[\\/](?:run-command-line|program)\.ts$/],
  ['engine', /cli[\\/]commands[\\/]demo\.ts$/],
  ['setup', /cli[\\/]setup[\\/]setup\.ts$/],
  ['session', /cli[\\/]sessions[\\/]session-source\.ts$/],
  ['compaction', /cli[\\/]compaction[\\/]compact-log\.ts$/],
]

/** Writes the program into a folder, as a few files: it starts in a third of the time. It contains all packages. */
export async function bundleProgram(dist) {
  const groups = TOGETHER.map(([name, test], i) => ({ name, test, priority: TOGETHER.length - i }))
  const output = await bundle(['cli/main'], {
    input: { platform: 'node', external: OPTIONAL, plugins: [englishOnly, lightCommander] },
    // Names stay, for the traces of errors.
    output: {
      dir: dist,
      chunkFileNames: 'cli/[name]-[hash].js',
      codeSplitting: { groups },
      minify: true,
      keepNames: true,
    },
  })
  notices(packagesIn(output), join(dist, 'cli', 'licences.txt'))
}

function bundle(names, options) {
  return build(Object.fromEntries(names.map((name) => [name, SOURCES[name] ?? join('src', `${name}.ts`)])), options)
}

async function build(input, options) {
  const made = await rolldown({ cwd: root, input, plugins: [englishOnly], ...options.input })
  const { output } = await made.write({ format: 'esm', entryFileNames: '[name].js', ...options.output })
  await made.close()
  return output
}

/** zod comes with messages in 50 languages, which are most of it. Ours are English. */
const englishOnly = {
  name: 'english-only',
  resolveId(source, importer) {
    const isList = importer?.includes('/zod/') && source.endsWith('/locales/index.js')
    return isList ? `${join(importer, '..', '..', 'locales', 'en.js')}?only` : null
  },
  load: (id) => (id.endsWith('?only') ? `export { default as en } from ${JSON.stringify(id.slice(0, -5))}` : null),
}

/**
 * Commander starts no programs for us, and the process is a global. Importing `node:process` would open standard input, and
 * `node:child_process` brings sockets along: a tenth of the time of `pith --version`.
 */
const lightCommander = {
  name: 'light-commander',
  resolveId: (source, importer) =>
    importer?.includes('/commander/') && source in OF_COMMANDER ? `\0commander:${source}` : null,
  load: (id) => OF_COMMANDER[id.replace('\0commander:', '')] ?? null,
}
const OF_COMMANDER = { 'node:process': 'export default process', 'node:child_process': 'export default {}' }

/**
 * The published rules for secrets import Node's `path` and `fs` for one rule, which looks into files of keys. We do not run
 * that rule, and a bundler for browsers stops at such an import, even in a part that a page never loads.
 */
const rulesWithoutNode = {
  name: 'rules-without-node',
  // A module that is imported in both ways would be a file that imports the rules again, and esbuild warns of that.
  resolveId: (source, importer, { kind }) =>
    isRules(importer) && source.startsWith('node:') ? `\0without-node:${kind}` : null,
  load: (id) => (id.startsWith('\0without-node:') ? 'export default {}' : null),
}
const isRules = (file) => file?.includes('/@secretlint/') ?? false

/** A package that is in a file of its own, beside the part that uses it. */
const apart = (name, id) => ({
  name: `${name}-apart`,
  resolveId: (source) => (source === name ? { id, external: true } : null),
})

const withoutOptional = {
  name: 'without-optional',
  resolveId: (source) => (OPTIONAL.includes(source) ? `\0${source}` : null),
  load: (id) => (OPTIONAL.includes(id.slice(1)) ? `throw new Error('${id.slice(1)} is not here')` : null),
}
