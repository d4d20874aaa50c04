import type { Bundler } from './bundlers.ts'
import { manifest } from './packed.ts'

/** How a bundler makes one script, `out/page.js`, of `page.js` for browsers. */
export type BrowserBundler = Omit<Bundler, 'run'>

const { devDependencies } = manifest()

const WEBPACK = `import webpack from 'webpack'
export default {
  mode: 'production',
  performance: false,
  target: 'web',
  entry: './page.js',
  output: { path: import.meta.dirname + '/out', filename: 'page.js' },
  plugins: [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })],
}
`

const VITE = `export default {
  logLevel: 'warn',
  build: { outDir: 'out', lib: { entry: 'page.js', name: 'Page', formats: ['iife'], fileName: () => 'page.js' } },
}
`

const ROLLUP = `import resolve from '@rollup/plugin-node-resolve'
export default {
  input: 'page.js',
  output: { file: 'out/page.js', format: 'iife', name: 'Page', inlineDynamicImports: true },
  plugins: [resolve({ browser: true })],
  onwarn(warning) { if (warning.code === 'UNRESOLVED_IMPORT') throw new Error(warning.message) },
}
`

export const BROWSER_BUNDLERS: readonly BrowserBundler[] = [
  {
    name: 'esbuild',
    packages: ['esbuild@0.28'],
    build: ['esbuild', 'page.js', '--bundle', '--platform=browser', '--format=iife', '--outfile=out/page.js'],
  },
  {
    name: 'webpack',
    packages: ['webpack@5', 'webpack-cli@7'],
    files: { 'webpack.config.mjs': WEBPACK },
    build: ['webpack', '--stats=errors-warnings', '--fail-on-warnings'],
  },
  {
    name: 'Vite',
    packages: [`vite@${devDependencies.vite}`, `rolldown@${devDependencies.rolldown}`],
    files: { 'vite.config.mjs': VITE },
    build: ['vite', 'build'],
  },
  {
    name: 'Rollup',
    packages: ['rollup@4', '@rollup/plugin-node-resolve@16'],
    files: { 'rollup.config.mjs': ROLLUP },
    build: ['rollup', '--config', '--silent'],
  },
  {
    name: 'bun build',
    packages: ['bun@1'],
    build: ['bun', 'build', 'page.js', '--target=browser', '--format=iife', '--outfile=out/page.js'],
  },
]
