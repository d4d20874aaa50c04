// Makes dist/: the library with its declarations, the program, the plug-in for Claude Code, and the page.
import { chmodSync, cpSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bundleLibrary, bundleProgram } from './bundle.mjs'
import { bundleClaudeCode } from './bundle-plugins.mjs'
import { writeDeclarations } from './declarations.mjs'

const root = resolve(import.meta.dirname, '..')
const dist = join(root, 'dist')

rmSync(dist, { recursive: true, force: true })
writeDeclarations(dist)
await bundleLibrary(dist)
await bundleProgram(dist)
await bundleClaudeCode(join(dist, 'plugins', 'claude-code'))
cpSync(join(root, 'src', 'plugins', 'memory'), join(dist, 'plugins', 'memory'), { recursive: true })
// Native code that the terminal needs on macOS and Windows. Its library looks for it in the folder above its own.
const native = join(root, 'node_modules', '@earendil-works', 'pi-tui', 'native')
cpSync(native, join(dist, 'native'), {
  recursive: true,
  filter: (file) => statSync(file).isDirectory() || file.endsWith('.node'),
})
await import('./build-web.mjs')
chmodSync(join(dist, 'cli', 'main.js'), 0o755)
