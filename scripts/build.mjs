// Makes dist/: JavaScript and declarations from src/, and the page.
import { spawnSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleCli } from './bundle-cli.mjs'
import { bundleClaudeCode } from './bundle-plugins.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')

rmSync(dist, { recursive: true, force: true })
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
await bundleCli(join(dist, 'cli'))
await bundleClaudeCode(join(dist, 'plugins', 'claude-code'))
await import('./build-web.mjs')
chmodSync(join(dist, 'cli', 'main.js'), 0o755)
