import { manifest } from './packed.ts'

/** How a bundler makes one program of `main.js` and all that it imports, and how that is run. */
export type Bundler = {
  readonly name: string
  /** The packages to install beside Pith, with their versions. */
  readonly packages: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  readonly build: readonly string[]
  readonly run: readonly string[]
}

// The newest of these is not built for every system on its first day.
const { devDependencies } = manifest()

const VITE = `export default {
  logLevel: 'error',
  build: { ssr: 'main.js', outDir: 'out', target: 'node22' },
  ssr: { noExternal: true },
}
`

const WEBPACK = `export default {
  mode: 'production',
  performance: false,
  target: 'node22',
  entry: './main.js',
  experiments: { outputModule: true },
  output: { path: import.meta.dirname + '/out', filename: 'main.mjs', module: true, chunkFormat: 'module' },
}
`

const ROLLUP = `import commonjs from '@rollup/plugin-commonjs'
import json from '@rollup/plugin-json'
import resolve from '@rollup/plugin-node-resolve'
export default {
  input: 'main.js',
  external: [/^node:/],
  output: { dir: 'out', format: 'esm' },
  plugins: [resolve({ preferBuiltins: true, exportConditions: ['node'] }), commonjs(), json()],
  onwarn(warning) { if (warning.code === 'UNRESOLVED_IMPORT') throw new Error(warning.message) },
}
`

const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

export const BUNDLERS: readonly Bundler[] = [
  {
    name: 'esbuild',
    packages: ['esbuild@0.28'],
    // Some packages beside Pith are CommonJS and ask for Node's modules by `require`.
    build: [
      'esbuild',
      'main.js',
      '--bundle',
      '--platform=node',
      '--format=esm',
      '--outdir=out',
      `--banner:js=${REQUIRE}`,
    ],
    run: ['node', 'out/main.js'],
  },
  {
    name: 'webpack',
    packages: ['webpack@5', 'webpack-cli@7'],
    files: { 'webpack.config.mjs': WEBPACK },
    build: ['webpack', '--stats=errors-warnings', '--fail-on-warnings'],
    run: ['node', 'out/main.mjs'],
  },
  {
    name: 'Vite for a server',
    packages: [`vite@${devDependencies.vite}`, `rolldown@${devDependencies.rolldown}`],
    files: { 'vite.config.mjs': VITE },
    build: ['vite', 'build'],
    run: ['node', 'out/main.js'],
  },
  {
    name: 'Rollup',
    packages: ['rollup@4', '@rollup/plugin-node-resolve@16', '@rollup/plugin-commonjs', '@rollup/plugin-json@6'],
    files: { 'rollup.config.mjs': ROLLUP },
    build: ['rollup', '--config', '--silent'],
    run: ['node', 'out/main.js'],
  },
  {
    name: 'rolldown',
    packages: [`rolldown@${devDependencies.rolldown}`],
    build: ['rolldown', 'main.js', '--platform', 'node', '--dir', 'out'],
    run: ['node', 'out/main.js'],
  },
  {
    name: 'bun build',
    packages: ['bun@1'],
    build: ['bun', 'build', 'main.js', '--target=bun', '--outdir=out'],
    run: ['bun', 'out/main.js'],
  },
  {
    name: 'bun build --target=node',
    packages: ['bun@1'],
    build: ['bun', 'build', 'main.js', '--target=node', '--outdir=out'],
    run: ['node', 'out/main.js'],
  },
  {
    name: 'bun build --compile',
    packages: ['bun@1'],
    build: ['bun', 'build', 'main.js', '--compile', '--outfile=out/program'],
    run: ['./out/program'],
  },
]
